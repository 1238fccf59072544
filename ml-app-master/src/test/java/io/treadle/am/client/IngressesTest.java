// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class IngressesTest {
    private final FakeService master = new FakeService();
    private int found;
    private final Ingresses ingresses = new Ingresses(
            () -> {
                found++;
                return master.endpoint();
            },
            Duration.ofMinutes(1));

    @AfterEach
    void close() {
        master.close();
    }

    @Test
    void whereOnlyTheMasterAnswersItIsAsked() {
        assertEquals(master.url(), ingresses.get().base());
        assertEquals(master.url(), ingresses.get().base());
        assertEquals(2, found, "it may be elsewhere by now");
    }

    @Test
    void eachWorkerIsAskedBeforeTheMasterIsLookedForAgain() {
        master.others.addAll(List.of("http://127.0.0.2:4001", "http://127.0.0.3:4001", "http://[::1]:4002"));
        TreeSet<String> given = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            Endpoint one = ingresses.get();
            assertEquals(FakeService.SECRET, one.secret());
            given.add(one.base());
        }
        assertEquals(new TreeSet<>(master.others), given);
        assertEquals(master.url(), ingresses.get().base(), "workers may be out of reach from here");
        assertEquals(1, found);
        master.others.clear();
        assertEquals(master.url(), ingresses.get().base());
        assertEquals(2, found);
    }

    @Test
    void whoSaysSomethingStrangeIsAskedItself() {
        master.others.add("http://no-such-host.invalid:4001");
        assertEquals(master.url(), ingresses.get().base());
        master.others.addAll(List.of("http://127.0.0.2:4001", "ftp://n2"));
        assertEquals(master.url(), ingresses.get().base());
        master.close();
        assertEquals(master.url(), ingresses.get().base());
    }
}
