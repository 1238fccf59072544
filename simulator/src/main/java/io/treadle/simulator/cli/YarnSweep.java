// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Has a sweep's runs done by the workers of one Treadle job. They share the sweep's directory: each takes runs that
 * nobody has, and delivers their results there.
 */
final class YarnSweep {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    /** What a worker's own process may use beside its heap, and Treadle's runner beside it. */
    private static final double HEAP_OF_MEMORY = 0.65;

    private static final String JAR = "treadle-simulator.jar";
    private static final int LOOK_SECONDS = 2;
    private static final int RESTARTS = 20;

    private final SweepPlan plan;
    private final SweepArguments arguments;
    private final YarnOptions options;
    private final PrintWriter err;
    private final Path directory;

    /** @throws InputException if there is no cluster, or this is no way to submit to one */
    YarnSweep(SweepPlan plan, SweepArguments arguments, YarnOptions options, PrintWriter err) {
        this.plan = plan;
        this.arguments = arguments;
        this.options = options;
        this.err = err;
        directory = plan.out().toAbsolutePath().normalize().resolve("yarn");
    }

    /** What must be there before anything is read. */
    static void check(YarnOptions options) {
        ClusterConf.check(System.getenv("HADOOP_CONF_DIR"));
        options.workers();
        options.vcores();
        options.memoryMiB();
        property("treadle.command");
        property("treadle.simulator.jar");
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new InputException("--yarn works through the command 'treadle' only: -D" + name + " is not set.");
        }
        return value;
    }

    /**
     * Submits the job and waits for its end.
     *
     * @param open a file for each run that is to be done, there when it is
     * @throws InputException if it has failed
     */
    void run(List<Path> open) {
        Path token = directory.resolve("sweep-" + UUID.randomUUID());
        Path job = directory.resolve("job.json");
        try {
            Files.createDirectories(directory);
            Files.createFile(token);
            WholeFile.write(directory.resolve("sweep.yaml"), out -> JSON.writeValue(out, sweepFile()));
            WholeFile.write(job, out -> JSON.writeValue(out, jobFile(token, open.size())));
            err.printf(Locale.ROOT, "%,d of them go to the cluster%n", open.size());
            err.flush();
            Process client = new ProcessBuilder(property("treadle.command"), "submit", job.toString())
                    .inheritIO()
                    .start();
            int code = follow(client, open);
            if (code != 0 || open.size() > done(open)) {
                throw new InputException("the cluster has done " + done(open) + " of " + open.size()
                        + " runs; 'treadle submit " + job + "' ended with " + code
                        + ".\nMaybe run this again: what is done is kept in " + plan.out() + ".");
            }
            remove(directory);
        } catch (IOException e) {
            throw new InputException("cannot submit from " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    /** With all that workers have claimed. */
    private static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static int done(List<Path> open) {
        return (int) open.stream().filter(Files::exists).count();
    }

    private int follow(Process client, List<Path> open) {
        long start = System.nanoTime();
        int shown = 0;
        try {
            while (!client.waitFor(LOOK_SECONDS, TimeUnit.SECONDS)) {
                int done = done(open);
                if (done > shown) {
                    double seconds = (System.nanoTime() - start) / 1e9;
                    err.printf(
                            Locale.ROOT,
                            "%,d of %,d runs done, %.0f s, about %.0f s left%n",
                            done,
                            open.size(),
                            seconds,
                            seconds * (open.size() - done) / done);
                    err.flush();
                    shown = done;
                }
            }
            return client.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InputException("interrupted: the job goes on without this command.", e);
        }
    }

    /** All that was asked for, with files by the names that they have in a worker's directory. */
    private ObjectNode sweepFile() {
        ObjectNode file = JSON.createObjectNode();
        file.put("treadle-sweep", 1);
        for (String name : arguments.names()) {
            if (!SweepArguments.NOT_IN_FILES.contains(name)) {
                ArrayNode values = JSON.createArrayNode();
                arguments.all(name).forEach(value -> values.add(shipped(name, value.text())));
                file.set(name, values.size() == 1 ? values.get(0) : values);
            }
        }
        return file;
    }

    private static String shipped(String name, String text) {
        return SweepFile.FILES.contains(name) && Files.isRegularFile(Path.of(text))
                ? String.valueOf(Path.of(text).getFileName())
                : text;
    }

    private ObjectNode jobFile(Path token, int open) {
        ObjectNode job = JSON.createObjectNode();
        job.put("name", "sweep");
        if (options.queue() != null) {
            job.put("queue", options.queue());
        }
        job.put("maxRestarts", RESTARTS);
        // Simulations have no batches whose speed could be measured.
        job.putObject("profiling").put("enabled", false);
        ArrayNode files = job.putArray("files");
        files().forEach(files::add);
        ObjectNode worker = job.putObject("tasks").putObject("worker");
        worker.put("count", Math.min(options.workers(), open));
        worker.put("min", 1);
        worker.put("vcores", options.vcores());
        worker.put("memory", options.memoryMiB() + "Mi");
        worker.put("command", command(token));
        return job;
    }

    private List<String> files() {
        List<String> files = new ArrayList<>();
        files.add(property("treadle.simulator.jar") + "#" + JAR);
        files.add(directory.resolve("sweep.yaml").toString());
        for (String name : SweepFile.FILES) {
            for (Given value : arguments.all(name)) {
                Path file = Path.of(value.text());
                if (Files.isRegularFile(file)) {
                    files.add(file.toAbsolutePath() + "#" + file.getFileName());
                }
            }
        }
        return files;
    }

    /** A JVM of its own: the simulator's libraries are newer than Hadoop's. */
    private String command(Path token) {
        return String.join(
                " ",
                "exec ${JAVA_HOME:+$JAVA_HOME/bin/}java -XX:+UseSerialGC",
                "-Xmx" + Math.round(options.memoryMiB() * HEAP_OF_MEMORY) + "m",
                "-Dtreadle.build=" + quoted(System.getProperty("treadle.build", "")),
                "-cp " + JAR + " " + SimulatorMain.class.getName(),
                "sweep sweep.yaml --out "
                        + quoted(plan.out().toAbsolutePath().normalize().toString()),
                "--worker " + quoted(token.toString()),
                "--parallel " + options.vcores());
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
