// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.TestConf;
import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system; how fast it is is not asserted. */
class StorageBandwidthTest {
    private final Path directory;
    private final Path local;
    private final Path result;

    StorageBandwidthTest(@TempDir Path directory) {
        this.directory = directory;
        this.local = directory.resolve("local");
        this.result = directory.resolve("control/storage-bandwidth.json");
    }

    @Test
    void settingWinsAndNothingIsMeasured() {
        NodeConf conf = conf("storage-measure", "true", "storage-bandwidth-mbps", "2000");
        assertEquals(OptionalLong.of(2000), StorageBandwidth.atStart(conf));
        assertTrue(Files.notExists(result));
    }

    @Test
    void offByDefault() {
        assertEquals(OptionalLong.empty(), StorageBandwidth.atStart(conf()));
        assertTrue(Files.notExists(result));
    }

    @Test
    void measuredOnceAndKeptOverRestarts() throws IOException {
        NodeConf conf = conf("storage-measure", "true", "storage-measure-mib", "8");
        assertEquals(OptionalLong.empty(), StorageBandwidth.known(conf), "'treadle devices' does not measure");
        long measured = StorageBandwidth.atStart(conf).orElseThrow();
        assertTrue(measured > 0);
        assertEquals(List.of(directory.resolve("control")), files(), "the file of the measurement is gone");

        Files.writeString(
                result, Files.readString(result).replace("\":" + measured + "}", "\":" + (measured + 77) + "}"));
        assertEquals(OptionalLong.of(measured + 77), StorageBandwidth.atStart(conf), "read, not measured again");
        assertEquals(OptionalLong.of(measured + 77), StorageBandwidth.known(conf));
    }

    @Test
    void resultOfOtherDirectoriesAndBrokenResultsAreNotUsed() throws IOException {
        NodeConf conf = conf("storage-measure", "true", "storage-measure-mib", "4");
        Files.createDirectories(result.getParent());
        for (String text : List.of(
                "{\"schema\":1,\"directories\":[\"/other\"],\"megabytesPerSecond\":812}",
                "{\"schema\":2,\"directories\":[\"" + local + "\"],\"megabytesPerSecond\":812}",
                "{\"schema\":1,\"directories\":[\"" + local + "\"],\"megabytesPerSecond\":-1}",
                "no JSON")) {
            Files.writeString(result, text);
            assertEquals(OptionalLong.empty(), StorageBandwidth.known(conf), text);
            assertTrue(StorageBandwidth.atStart(conf).isPresent(), text);
            assertTrue(Files.readString(result).startsWith("{\"schema\":1,\"directories\":[\"" + local), text);
        }
    }

    @Test
    void directoriesOnOneFileSystemCountOnce() {
        NodeConf conf = TestConf.of(
                "control-dir",
                directory.resolve("control").toString(),
                "yarn.nodemanager.local-dirs",
                local + "," + directory.resolve("other"),
                "storage-measure",
                "true",
                "storage-measure-mib",
                "4");
        List<Long> looks = new ArrayList<>();
        assertTrue(StorageBandwidth.atStart(conf, () -> {
                    looks.add(0L);
                    return looks.size() * 1_000_000L;
                })
                .isPresent());
        int first = looks.size();
        looks.clear();
        var unused = StorageBandwidth.atStart(conf("storage-measure", "true", "storage-measure-mib", "4"), () -> {
            looks.add(0L);
            return looks.size() * 1_000_000L;
        });
        assertEquals(looks.size(), first, "one measurement for both");
    }

    @Test
    void failureMeansThatTheTypeIsNotAdvertised() {
        NodeConf noDirectories =
                TestConf.of("control-dir", directory.resolve("control").toString(), "storage-measure", "true");
        assertEquals(OptionalLong.empty(), StorageBandwidth.atStart(noDirectories));
        assertTrue(Files.notExists(result));
    }

    private NodeConf conf(String... further) {
        List<String> pairs = new ArrayList<>(List.of(
                "control-dir",
                directory.resolve("control").toString(),
                "yarn.nodemanager.local-dirs",
                local.toString()));
        pairs.addAll(List.of(further));
        return TestConf.of(pairs.toArray(String[]::new));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
