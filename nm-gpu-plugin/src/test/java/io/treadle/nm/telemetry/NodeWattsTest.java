// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.TestConf;
import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.device.CommandRunner;
import io.treadle.nm.device.DeviceProviderException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeWattsTest {
    private static final CommandRunner NONE = command -> {
        throw new AssertionError("no command is set");
    };

    private final Path directory;

    NodeWattsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        zone("intel-rapl:0", "package-0", 1_000_000);
        zone("intel-rapl:0:0", "core", 999);
        zone("intel-rapl:0:1", "dram", 500_000);
        zone("intel-rapl:1", "package-1", 0);
        zone("intel-rapl:2", "psys", 5);
    }

    private void zone(String zone, String name, long microjoules) throws IOException {
        Path path = Files.createDirectories(directory.resolve(zone));
        Files.writeString(path.resolve("name"), name + "\n");
        Files.writeString(path.resolve("energy_uj"), microjoules + "\n");
        Files.writeString(path.resolve("max_energy_range_uj"), "262143328850\n");
    }

    @Test
    void processorsAndMemoryAddUpAndPartsCountOnce() throws IOException {
        NodeWatts node = new NodeWatts(TestConf.of().power(), NONE, rapl());
        assertEquals(new NodeWatts.Draw(300 + 1.1 * 500, "model"), node.read(500, 0), "the first reading is no span");
        zone("intel-rapl:0", "package-0", 201_000_000);
        zone("intel-rapl:0:1", "dram", 40_500_000);
        zone("intel-rapl:1", "package-1", 100_000_000);
        assertEquals(new NodeWatts.Draw(170 + 500, "rapl"), node.read(500, 2_000));
    }

    @Test
    void countersWrap() throws IOException {
        zone("intel-rapl:1", "package-1", 262_143_328_850L - 100_000_000);
        Rapl rapl = rapl().orElseThrow();
        assertEquals(OptionalDouble.empty(), rapl.watts(0));
        zone("intel-rapl:1", "package-1", 100_000_000);
        assertEquals(100, rapl.watts(2_000).orElseThrow(), 1e-9);
    }

    @Test
    void countersThatOnlyRootMayReadLeaveAModel() {
        Optional<Rapl> rapl = NodeWatts.openRapl(
                directory,
                file -> {
                    if (file.endsWith("energy_uj")) {
                        throw new AccessDeniedException(file.toString());
                    }
                    return Files.readString(file);
                },
                false);
        assertEquals(Optional.empty(), rapl);
        assertEquals(
                new NodeWatts.Draw(450 + 1.2 * 100, "model"),
                new NodeWatts(
                                TestConf.of(PowerConf.NODE_IDLE_WATTS, "450", PowerConf.NODE_SHARE, "0.2")
                                        .power(),
                                NONE,
                                rapl)
                        .read(100, 0));
    }

    @Test
    void countersThatFailLaterLeaveAModel() throws IOException {
        NodeWatts node = new NodeWatts(TestConf.of().power(), NONE, rapl());
        node.read(0, 0);
        Files.writeString(directory.resolve("intel-rapl:0").resolve("energy_uj"), "gone");
        assertEquals("model", node.read(0, 2_000).source());
    }

    @Test
    void machineWithoutCountersHasNone() {
        assertFalse(NodeWatts.openRapl(directory.resolve("absent"), Files::readString, false)
                .isPresent());
        assertThrows(
                IOException.class,
                () -> new Rapl(Files.createDirectory(directory.resolve("empty")), Files::readString));
    }

    @Test
    void commandIsAskedEveryNowAndThenAndWins() {
        ArrayDeque<CommandRunner.Result> answers = new ArrayDeque<>(List.of(
                new CommandRunner.Result(0, "812.5\n"),
                new CommandRunner.Result(0, "a lot\n"),
                new CommandRunner.Result(1, "900\n"),
                new CommandRunner.Result(0, "-3\n"),
                new CommandRunner.Result(0, "700\n")));
        NodeWatts node = new NodeWatts(
                TestConf.of(PowerConf.NODE_WATTS_COMMAND, "ipmi-watts --now").power(),
                command -> {
                    assertEquals(List.of("ipmi-watts", "--now"), command);
                    return answers.removeFirst();
                },
                Optional.empty());
        assertEquals(new NodeWatts.Draw(812.5, "command"), node.read(100, 0));
        assertEquals(new NodeWatts.Draw(812.5, "command"), node.read(100, NodeWatts.COMMAND_INTERVAL_MS - 1));
        long now = 0;
        for (String source : List.of("model", "model", "model", "command")) {
            now += NodeWatts.COMMAND_INTERVAL_MS;
            assertEquals(source, node.read(100, now).source());
        }
        assertTrue(answers.isEmpty());
    }

    @Test
    void commandThatCannotBeRunLeavesAModel() {
        NodeWatts node = new NodeWatts(
                TestConf.of(PowerConf.NODE_WATTS_COMMAND, "absent").power(),
                command -> {
                    throw new DeviceProviderException("cannot run absent");
                },
                Optional.empty());
        assertEquals("model", node.read(100, 0).source());
    }

    private Optional<Rapl> rapl() {
        return NodeWatts.openRapl(directory, Files::readString, false);
    }
}
