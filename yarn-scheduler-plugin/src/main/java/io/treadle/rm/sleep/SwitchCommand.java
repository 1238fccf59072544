// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Calls the administrator's command: {@code <command> off|on <node>}. */
public final class SwitchCommand implements Switch {
    /** It starts the switching and does not wait for the machine. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final int MOST_SHOWN = 300;

    private final Path command;
    private final Duration limit;

    /** @param limit after which the command is killed */
    public SwitchCommand(Path command, Duration limit) {
        this.command = command;
        this.limit = limit;
    }

    @Override
    public void turn(boolean on, String node) throws IOException, InterruptedException {
        // A file and no pipe: what the command leaves running may write on, and nobody waits for it.
        Path output = Files.createTempFile("treadle-switch", ".out");
        try {
            run(on ? "on" : "off", node, output);
        } finally {
            Files.delete(output);
        }
    }

    private void run(String turn, String node, Path output) throws IOException, InterruptedException {
        if (!SleepingNodesRecord.isName(node)) {
            throw new IOException(
                    "host '" + node + "' is switched by no command: hosts have " + SleepingNodesRecord.RIGHT_NAME);
        }
        String what = "'" + command + " " + turn + " " + node + "'";
        Process process = new ProcessBuilder(command.toString(), turn, node)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                throw new IOException(what + " did not end in " + limit.toSeconds() + " s and was killed");
            }
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IOException(what + " ended with " + process.exitValue() + ": " + start(output));
        }
    }

    private static String start(Path output) throws IOException {
        try (InputStream stream = Files.newInputStream(output)) {
            String text = new String(stream.readNBytes(MOST_SHOWN), StandardCharsets.UTF_8)
                    .strip()
                    .replaceAll("\\s+", " ");
            return text.isEmpty() ? "it said nothing" : text;
        }
    }
}
