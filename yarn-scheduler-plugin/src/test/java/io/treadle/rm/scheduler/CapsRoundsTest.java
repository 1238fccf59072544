// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.rm.bridge.ContainerCaps;
import io.treadle.rm.bridge.SchedulerAccess;
import io.treadle.rm.gang.GangTable;
import io.treadle.rm.power.CapsSender;
import io.treadle.rm.profile.NoTelemetry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All containers of a cluster without a job of Treadle's are looked at seldom. */
class CapsRoundsTest {
    @ParameterizedTest(name = "a node has spoken {0}, a node was told of a cap {1}: {2} looks in twenty rounds")
    @CsvSource({"false, false, 0", "true, false, 2", "false, true, 20", "true, true, 20"})
    void clusterIsLookedAtWhereSomethingIsToBeTold(boolean spoken, boolean told, int looks) {
        AtomicInteger looked = new AtomicInteger();
        SchedulerAccess scheduler = (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    assertEquals("nodes", method.getName());
                    looked.incrementAndGet();
                    return List.of();
                });
        Duration lease = Duration.ofSeconds(30);
        CapsSender sender = new CapsSender(lease, (node, caps) -> {});
        NoTelemetry telemetry = new NoTelemetry() {
            @Override
            public boolean knowsNodes() {
                return spoken;
            }
        };
        CapsRounds rounds =
                new CapsRounds(new ContainerCaps(scheduler, telemetry), sender, new GangTable(), telemetry, lease);
        for (int second = 100; second < 120; second++) {
            if (told) {
                sender.send(Map.of("node", Map.of("GPU-0", 100.0)), 1000L * second);
            }
            rounds.accept(1000L * second);
        }
        assertEquals(looks, looked.get());
    }
}
