// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.SharedBy;
import io.treadle.nm.FakeClock;
import io.treadle.nm.TestConf;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.ProcessUse;
import io.treadle.nm.isolation.ContainerProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A GPU of 400 W that draws 40 W at idle, shared by two containers with 2 and 6 GB of its memory. */
class SharedEnergyTest {
    private static final GpuDevice GPU = new GpuDevice("A", 0, "A100", 16_000, 400);

    private final FakeClock clock = new FakeClock();
    private final DeviceBook book = new DeviceBook(List.of(GPU));
    private final FakeProcesses provider = new FakeProcesses();
    private final Path proc;
    private final NodeEnergy energy;
    private long counter = 1_000_000;

    SharedEnergyTest(@TempDir Path proc) {
        this.proc = proc;
        this.energy = energy();
    }

    private NodeEnergy energy() {
        NodeWatts watts = new NodeWatts(
                TestConf.of().power(),
                command -> {
                    throw new AssertionError("no command is set");
                },
                Optional.empty());
        return new NodeEnergy(
                watts,
                book,
                new SharedUse(provider, new ContainerProcesses(proc, container -> OptionalLong.empty()), clock),
                clock);
    }

    @BeforeEach
    void share() {
        book.grant("c1", new DeviceAsk(0, 2_000, List.of()));
        book.grant("c2", new DeviceAsk(0, 6_000, List.of()));
        spend(0, 0, 40);
    }

    /** Ten seconds at 100 W: 400 J are idle and go 1 to 3, 600 J are above it and go 3 to 1. */
    @Test
    void aboveIdleIsSplitByUtilisation() {
        provider.uses = Optional.of(List.of(use("c1", 60), use("c2", 20)));
        NodePower power = spend(10_000, 1_000_000, 100);
        assertEquals(Map.of("c1", 100_000L + 450_000L, "c2", 300_000L + 150_000L), power.containers());
        assertEquals(Map.of("A", SharedBy.UTILIZATION), power.shared());
        assertEquals(0, power.idleMillijoules());
    }

    @Test
    void samplesOfOneContainerAddUp() {
        provider.uses = Optional.of(List.of(use("c1", 30), use("c2", 20), use("c1", 30)));
        assertEquals(
                Map.of("c1", 550_000L, "c2", 450_000L),
                spend(10_000, 1_000_000, 100).containers());
    }

    @Test
    void whatNoContainerUsesIsTheNodes() throws IOException {
        Files.createDirectories(proc.resolve("9"));
        Files.writeString(proc.resolve("9/stat"), "9 (Xorg) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 9 9\n");
        provider.uses = Optional.of(List.of(use("c1", 25), ProcessUse.ofProcess(9, 0, 75)));
        NodePower power = spend(10_000, 1_000_000, 100);
        assertEquals(Map.of("c1", 100_000L + 150_000L, "c2", 300_000L), power.containers());
        assertEquals(450_000, power.idleMillijoules());
    }

    @Test
    void processThatIsNotKnownIsLeftOut() {
        provider.uses = Optional.of(List.of(use("c1", 25), ProcessUse.ofProcess(4711, 0, 75)));
        assertEquals(
                Map.of("c1", 700_000L, "c2", 300_000L),
                spend(10_000, 1_000_000, 100).containers());
    }

    @Test
    void nobodyHasUsedItSoItIsSplitByMemory() {
        provider.uses = Optional.of(List.of());
        NodePower power = spend(10_000, 1_000_000, 100);
        assertEquals(Map.of("c1", 250_000L, "c2", 750_000L), power.containers());
        assertEquals(Map.of("A", SharedBy.UTILIZATION), power.shared(), "it can be told that nobody has");
    }

    /** A driver that has no newer samples yet has not seen that nobody uses it. */
    @Test
    void samplesCountUntilNewerOnesAreLate() {
        provider.uses = Optional.of(List.of(use("c1", 60), use("c2", 20)));
        spend(1_000, 100_000, 100);
        provider.uses = Optional.of(List.of());
        Map<String, Long> before = spend(5_000, 0, 100).containers();
        // 600 J in 5 s, of which 200 J are idle. Then nobody has used it for too long.
        assertEquals(
                Map.of(
                        "c1",
                        before.getOrDefault("c1", 0L) + 50_000 + 300_000,
                        "c2",
                        before.getOrDefault("c2", 0L) + 150_000 + 100_000),
                spend(0, 600_000, 100).containers());
        before = spend(1, 0, 100).containers();
        assertEquals(
                Map.of("c1", before.getOrDefault("c1", 0L) + 250_000, "c2", before.getOrDefault("c2", 0L) + 750_000),
                spend(10_000, 1_000_000, 100).containers());
    }

    @Test
    void whereItCannotBeToldItIsSplitByMemory() {
        NodePower power = spend(10_000, 1_000_000, 100);
        assertEquals(Map.of("c1", 250_000L, "c2", 750_000L), power.containers());
        assertEquals(Map.of("A", SharedBy.MEMORY), power.shared());
        provider.uses = Optional.of(List.of(ProcessUse.ofProcess(4711, 0, 50)));
        assertEquals(
                Map.of("A", SharedBy.MEMORY), spend(10_000, 0, 100).shared(), "processes that are not on this machine");
        provider.broken = true;
        assertEquals(Map.of("A", SharedBy.MEMORY), spend(10_000, 0, 100).shared());
    }

    @Test
    void oneHolderIsNotAskedAboutAndHasItAll() {
        book.release("c2");
        provider.broken = true;
        NodePower power = spend(10_000, 1_000_000, 100);
        assertEquals(Map.of("c1", 1_000_000L, "c2", 0L), power.containers());
        assertEquals(Map.of(), power.shared());
    }

    /** 400 W from the first reading on: a quarter of the limit counts as idle, and no more. */
    @Test
    void gpuThatWasNeverSeenIdle() {
        NodeEnergy late = energy();
        provider.uses = Optional.of(List.of(use("c1", 100)));
        late.read(Map.of("A", reading(400)), 0);
        counter += 4_000_000;
        clock.advance(10_000);
        assertEquals(
                Map.of("c1", 250_000L + 3_000_000L, "c2", 750_000L),
                late.read(Map.of("A", reading(400)), 0).containers());
    }

    /** A counter that stands for a while counts the idle draw of that while when it moves. */
    @Test
    void counterThatIsLate() {
        provider.uses = Optional.of(List.of(use("c1", 50)));
        assertEquals(0, spend(10_000, 0, 100).gpuMillijoules());
        assertEquals(
                Map.of("c1", 200_000L + 1_200_000L, "c2", 600_000L),
                spend(10_000, 2_000_000, 100).containers());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void partsAddUpWhateverIsReported(long seed) {
        Random random = new Random(seed);
        long whole = 0;
        for (int step = 0; step < 3_000; step++) {
            provider.uses = random.nextInt(5) == 0 ? Optional.empty() : Optional.of(randomUses(random));
            provider.broken = random.nextInt(20) == 0;
            if (random.nextInt(10) == 0) {
                String container = "c" + (3 + random.nextInt(3));
                if (book.knows(container)) {
                    book.release(container);
                } else {
                    book.grant(container, new DeviceAsk(0, 1 + random.nextInt(2_000), List.of()));
                }
            }
            // A counter may jump, and may go back: then nothing was spent.
            long spent = random.nextInt(50) == 0 ? random.nextLong(1L << 40) : random.nextInt(500_000);
            boolean back = random.nextInt(50) == 0;
            NodePower power = spend(random.nextInt(20_000), back ? -spent : spent, 20 + random.nextInt(380));
            whole += back ? 0 : spent;
            assertEquals(whole, power.gpuMillijoules(), "seed " + seed + ", step " + step);
            long named = power.containers().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertEquals(
                    whole,
                    power.idleMillijoules() + named + power.endedMillijoules(),
                    "seed " + seed + ", step " + step);
        }
    }

    private static List<ProcessUse> randomUses(Random random) {
        List<ProcessUse> uses = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            uses.add(
                    random.nextInt(4) == 0
                            ? ProcessUse.ofProcess(1 + random.nextInt(9), 0, 1 + random.nextInt(100))
                            : use("c" + (1 + random.nextInt(5)), 100 * random.nextDouble()));
        }
        return uses;
    }

    private static ProcessUse use(String container, double percent) {
        return new ProcessUse(0, 0, percent, container);
    }

    private NodePower spend(long ms, long millijoules, double watts) {
        clock.advance(ms);
        counter += millijoules;
        return energy.read(Map.of("A", reading(watts)), 0);
    }

    private DeviceReading reading(double watts) {
        return new DeviceReading(false, watts, 400, 0, 0, 0, counter);
    }

    private static final class FakeProcesses implements DeviceProvider {
        Optional<List<ProcessUse>> uses = Optional.empty();
        boolean broken;

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public List<GpuDevice> devices() {
            return List.of(GPU);
        }

        @Override
        public Map<String, DeviceReading> read(Set<String> held) {
            return Map.of();
        }

        @Override
        public Map<String, List<ProcessUse>> processes(Map<String, List<String>> holders) {
            if (broken) {
                throw new DeviceProviderException("the driver is silent");
            }
            Map<String, List<ProcessUse>> all = new HashMap<>();
            holders.keySet().forEach(uuid -> uses.ifPresent(known -> all.put(uuid, known)));
            return all;
        }
    }
}
