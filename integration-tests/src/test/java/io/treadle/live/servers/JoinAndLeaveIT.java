// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.live.Torch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code join_and_leave.py}: PyTorch trains on, whoever comes and goes. */
@Tag("alone")
class JoinAndLeaveIT {
    @BeforeAll
    static void torchIsThere() throws Exception {
        Torch.assumeThere();
    }

    @Test
    void workersComeAndGoWhileTheOthersTrain(@TempDir Path directory) throws Exception {
        for (String script : List.of("digits_ps.py", "parameter_server.py", "digits_ddp.py", "join_and_leave.py")) {
            Scripts.extract(script, directory);
        }
        for (String helper : List.of("treadle_worker.py", "treadle_batches.py")) {
            copy(helper, directory);
        }
        Path output = directory.resolve("output");
        ProcessBuilder process = new ProcessBuilder(Python.interpreter(), "-B", "join_and_leave.py")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        process.environment().put("PYTHONPATH", directory.toString());
        Process started = process.start();
        try {
            assertEquals(0, started.waitFor(), () -> read(output));
        } finally {
            started.descendants().forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static void copy(String helper, Path directory) throws IOException {
        try (InputStream content = JoinAndLeaveIT.class.getResourceAsStream("/" + helper)) {
            if (content == null) {
                throw new IOException(helper + " is missing from the class path");
            }
            Files.copy(content, directory.resolve(helper));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
