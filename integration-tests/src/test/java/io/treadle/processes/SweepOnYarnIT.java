// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A sweep whose simulations run as the workers of a Treadle job gives what it gives on one machine. */
class SweepOnYarnIT {
    private static final long SEED = 4242;
    private static final int JOBS = 20_000;
    private static final String[] POINTS = {
        "--policy", "fifo,sjf", "--load-factor", "0.7,1.1", "--nodes", "3,4", "--preemption", "on"
    };

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = ProcessCluster.start();
        StringBuilder jobs = new StringBuilder("job_id,queue,submit_s,duration_s,gpus\n");
        Random random = new Random(SEED);
        int submit = 0;
        for (int i = 0; i < JOBS; i++) {
            submit += random.nextInt(120);
            jobs.append(i).append(",ml,").append(submit).append(',').append(1 + random.nextInt(2000));
            jobs.append(',').append(1 + random.nextInt(8)).append('\n');
        }
        Files.writeString(file("jobs.csv"), jobs);
        Files.writeString(file("nodes.csv"), "vc,node_num\nml,4\n");
        Path command = Files.writeString(
                file("treadle.sh"),
                "#!/bin/sh\nexec '%s' -Xmx300m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s:%s' org.apache.hadoop.util.RunJar '%s' \"$@\"\n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                cluster.clientConf(),
                                cluster.hadoopClassPath(),
                                JarDirectories.amJar()));
        assertTrue(command.toFile().setExecutable(true));
        JavaProcess local = sweep("local");
        local.start();
        assertEquals(0, local.exitCode(), local::tail);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Path file(String name) {
        return cluster.directory().resolve(name);
    }

    private static JavaProcess sweep(String out, String... more) {
        Path jar = Checkout.root().resolve("simulator/target/treadle-simulator.jar");
        List<String> arguments = new ArrayList<>(List.of(
                "io.treadle.simulator.cli.SimulatorMain",
                "sweep",
                "--trace",
                file("jobs.csv").toString(),
                "--cluster",
                file("nodes.csv").toString(),
                "--out",
                file(out).toString()));
        arguments.addAll(List.of(POINTS));
        arguments.addAll(List.of(more));
        return new JavaProcess("sweep-" + out, file("home-" + out), jar.toString(), arguments.toArray(String[]::new))
                .withJvmOptions("-Dtreadle.command=" + file("treadle.sh"), "-Dtreadle.simulator.jar=" + jar)
                .with("HADOOP_CONF_DIR", cluster.clientConf().toString());
    }

    private static JavaProcess onYarn(String out) {
        return sweep(out, "--yarn", "--workers", "2", "--memory", "768Mi", "--queue", "ml");
    }

    /** Bytes of all files below, by their names there, but for what a clock has measured. */
    private static Map<String, String> results(String name) throws IOException {
        Path root = file(name);
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(path, StandardCharsets.ISO_8859_1);
                files.put(
                        root.relativize(path).toString(),
                        path.endsWith("sweep.csv")
                                ? withoutClocks(text)
                                : text.replaceAll("\"(wallSeconds|peakHeapMb)\" ?: ?[0-9.E-]+", ""));
            }
        }
        return files;
    }

    private static String withoutClocks(String table) {
        List<String> head = List.of(table.lines().findFirst().orElseThrow().split(","));
        return table.lines()
                .map(row -> {
                    List<String> values = new ArrayList<>(List.of(row.split(",", -1)));
                    values.set(head.indexOf("wallSeconds"), "");
                    values.set(head.indexOf("peakHeapMb"), "");
                    return String.join(",", values);
                })
                .collect(Collectors.joining("\n"));
    }

    @Test
    void givesWhatItGivesOnOneMachine() throws Exception {
        JavaProcess sweep = onYarn("yarn");
        sweep.start();
        assertEquals(0, sweep.exitCode(), sweep::tail);
        assertTrue(sweep.output().contains("8 of them go to the cluster"), sweep::tail);
        assertTrue(sweep.output().contains("1 to 2 workers"), sweep::tail);
        assertEquals(results("local"), results("yarn"), "seed " + SEED);
        JavaProcess again = onYarn("yarn");
        again.start();
        assertEquals(0, again.exitCode(), again::tail);
        assertTrue(again.output().contains("8 of 8 runs were done before"), again::tail);
        Leftovers.assertNone(cluster);
    }

    @Test
    void goesOnWhenAWorkerIsKilled() throws Exception {
        JavaProcess sweep = onYarn("killed");
        sweep.start();
        ProcessHandle worker = Await.value("a worker", () -> {
            sweep.checkAlive();
            return worker();
        });
        Await.until("a run that has begun", () -> {
            sweep.checkAlive();
            return Files.isDirectory(file("killed/yarn/claims"));
        });
        assertTrue(worker.destroyForcibly(), "kill -9 of " + worker.pid());
        Await.until("work of the job's second start", () -> {
            sweep.checkAlive();
            try (Stream<Path> starts = Files.list(file("killed/yarn/claims"))) {
                return starts.count() == 2;
            }
        });
        assertEquals(0, sweep.exitCode(), sweep::tail);
        assertFalse(worker.isAlive());
        assertEquals(results("local"), results("killed"), "seed " + SEED);
        Leftovers.assertNone(cluster);
    }

    private static Optional<ProcessHandle> worker() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains("SimulatorMain") && line.contains("--worker " + file("killed")))
                        .isPresent())
                .findFirst();
    }
}
