// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.nm.conf.NodeConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A measurement kept over restarts: {@code {"schema":1,"directories":["/data/1/nm"],"megabytesPerSecond":812}} in {@code
 * storage-bandwidth.json} of the control directory.
 *
 * @param directories the local directories that were measured; for others it says nothing
 * @param megabytesPerSecond MB/s, above 0
 */
record StorageResult(List<Path> directories, long megabytesPerSecond) {
    private static final Logger LOG = LoggerFactory.getLogger(StorageResult.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String NAME = "storage-bandwidth.json";
    private static final int SCHEMA = 1;

    static Path file(NodeConf conf) {
        return conf.controlDir().resolve(NAME);
    }

    /** Empty where there is no file, or one that cannot be used; the latter is logged. */
    static OptionalLong load(Path file, List<Path> directories) {
        try {
            JsonNode json = MAPPER.readTree(Files.readString(file));
            List<Path> measured = new ArrayList<>();
            json.path("directories").forEach(d -> measured.add(Path.of(d.asText())));
            long value = json.path("megabytesPerSecond").asLong(0);
            if (json.path("schema").asInt(0) == SCHEMA && value > 0 && measured.equals(directories)) {
                LOG.info("storage bandwidth {} MB/s, measured before; delete {} to measure again", value, file);
                return OptionalLong.of(value);
            }
            LOG.info("{} is of another form or of other directories ({}, now {})", file, measured, directories);
        } catch (NoSuchFileException e) {
            // Not measured yet.
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("cannot read {}: {}", file, e.toString());
        }
        return OptionalLong.empty();
    }

    /** A failure is logged: then the next start measures again. */
    void save(Path file) {
        ObjectNode json = MAPPER.createObjectNode().put("schema", SCHEMA);
        directories.forEach(d -> json.withArray("directories").add(d.toString()));
        json.put("megabytesPerSecond", megabytesPerSecond);
        try {
            Files.createDirectories(file.getParent());
            Path draft = Files.createTempFile(file.getParent(), NAME, ".tmp");
            Files.writeString(draft, json + "\n");
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.warn("cannot keep the measured storage bandwidth in {}: {}", file, e.toString());
        }
    }
}
