// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.am.spec.Nearest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads the job file that a command line names. */
final class JobFile {
    private static final long MAX_BYTES = 4 << 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JobFile() {}

    /**
     * The specification with its defaults, and its files' relative paths as the job file's directory makes them.
     *
     * @throws ClientException if the file cannot be read, {@link io.treadle.am.spec.JobSpecException} if it is wrong
     */
    static ObjectNode read(Path file) {
        JobSpec spec = JobSpecParser.fromYaml(file.toString(), text("job file", file));
        try {
            ObjectNode job = (ObjectNode) MAPPER.readTree(JobSpecParser.toJson(spec));
            Path base = file.toAbsolutePath().getParent();
            resolve(job.putArray("files"), spec.files(), base);
            resolve(job.putArray("archives"), spec.archives(), base);
            return job;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a written specification cannot be read back", e);
        }
    }

    private static void resolve(ArrayNode array, List<FileSpec> files, @org.jspecify.annotations.Nullable Path base) {
        for (FileSpec file : files) {
            boolean local = !file.path().contains(":/");
            String path = local && base != null ? base.resolve(file.path()).toString() : file.path();
            array.add(path + "#" + file.link());
        }
    }

    /** @param what how messages call it */
    static String text(String what, Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ClientException(what + " '" + file + "' has " + Files.size(file)
                        + " bytes, must have at most " + MAX_BYTES + ".\nMaybe this is another file than you meant.");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ClientException(
                    "there is no " + what + " '" + file + "'."
                            + Nearest.of(file.toString(), Cli.COMMANDS)
                                    .map(near -> "\nMaybe the command '" + near + "'.")
                                    .orElse(""),
                    e);
        } catch (CharacterCodingException e) {
            throw new ClientException(what + " '" + file + "' is not UTF-8 text.", e);
        } catch (IOException e) {
            throw new ClientException(what + " '" + file + "' cannot be read: " + e.getMessage(), e);
        }
    }
}
