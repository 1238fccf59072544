// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeCaps;
import io.treadle.nm.FakeClock;
import io.treadle.nm.device.PowerLimitException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Caps, containers, faults and crashes in any order. After each step no limit is above its own or below what the device
 * takes, and every GPU that has not its own limit has it on the disk; in the end all have it back.
 */
class PowerCapsRandomTest {
    private static final Map<String, Long> OWN = Map.of("A", FakeActuator.MAX, "B", 350_000L);

    private final Path directory;
    private final FakeClock clock = new FakeClock();
    private final Map<String, Long> limits = new HashMap<>(OWN);
    private final FakeActuator first = new FakeActuator("first", limits);
    private final FakeActuator second = new FakeActuator("second", limits);

    PowerCapsRandomTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void limitsAreNeverForgotten(long seed) throws IOException {
        Random random = new Random(seed);
        CapsFixture node = start();
        long epoch = 0;
        for (int step = 0; step < 800; step++) {
            String where = "seed " + seed + ", step " + step;
            fault(random);
            switch (random.nextInt(10)) {
                case 0 -> {
                    node.kill();
                    node = start();
                }
                case 1 -> {
                    node.close();
                    node = start();
                }
                case 2 -> node.lease.withdraw();
                case 3, 4, 5 -> node.lease.offer(new NodeCaps(++epoch, 1_000 + random.nextInt(60_000), wanted(random)));
                default -> clock.advance(random.nextInt(20_000));
            }
            node.follow(some(random), random.nextInt(8) == 0 ? some(random) : Set.of());
            check(node, where);
        }
        int changes = first.changes.size() + second.changes.size();
        assertTrue(changes > 100, "seed " + seed + " has capped next to nothing: " + changes);
        first.refuses = null;
        second.refuses = null;
        first.refusesReading = null;
        second.refusesReading = null;
        first.silent = false;
        second.silent = false;
        node.lease.withdraw();
        for (int i = 0; i < 20; i++) {
            clock.advance(600_000);
            node.follow(Set.of(), Set.of());
        }
        assertEquals(OWN, limits, "seed " + seed);
        assertFalse(Files.exists(node.journal.file()), "seed " + seed);
        node.close();
    }

    private CapsFixture start() {
        return new CapsFixture(directory, clock, first, second).started();
    }

    private void check(CapsFixture node, String where) throws IOException {
        String journal = Files.exists(node.journal.file()) ? Files.readString(node.journal.file()) : "";
        for (String uuid : List.of("A", "B")) {
            long limit = limits.getOrDefault(uuid, 0L);
            long own = OWN.getOrDefault(uuid, 0L);
            assertTrue(limit >= FakeActuator.MIN && limit <= own, where + ": " + uuid + " has " + limit);
            assertTrue(
                    limit == own || journal.contains("{\"uuid\":\"" + uuid + "\",\"milliwatts\":" + own + "}"),
                    where + ": " + uuid + " has " + limit + ", the journal " + journal);
        }
    }

    private void fault(Random random) {
        FakeActuator actuator = random.nextBoolean() ? first : second;
        Reason[] reasons = Reason.values();
        actuator.refuses = random.nextInt(6) == 0 ? reasons[random.nextInt(reasons.length)] : null;
        actuator.silent = random.nextInt(12) == 0;
        actuator.refusesReading = random.nextInt(20) == 0 ? reasons[random.nextInt(reasons.length)] : null;
    }

    private static Map<String, Double> wanted(Random random) {
        Map<String, Double> wanted = new HashMap<>();
        some(random).forEach(uuid -> wanted.put(uuid, 50.0 + random.nextInt(450)));
        return wanted;
    }

    private static Set<String> some(Random random) {
        Set<String> some = new HashSet<>();
        for (String uuid : List.of("A", "B")) {
            if (random.nextBoolean()) {
                some.add(uuid);
            }
        }
        return some;
    }
}
