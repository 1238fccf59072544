// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What cannot work is refused by the command that people run, with one clear message, and leaves nothing. */
class RefusedJobsIT {
    private static final String USER = System.getProperty("user.name");
    private static final int REFUSED = 2;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    private static int clients;

    @BeforeAll
    static void start() throws Exception {
        cluster = ProcessCluster.start(Map.of(
                "yarn.acl.enable",
                "true",
                "yarn.admin.acl",
                USER + ",dr.who",
                "yarn.scheduler.capacity.root.acl_submit_applications",
                "nobody",
                // Who administers a queue may submit to it, and to all below.
                "yarn.scheduler.capacity.root.acl_administer_queue",
                USER,
                "yarn.scheduler.capacity.root.ml.acl_submit_applications",
                USER,
                "yarn.scheduler.capacity.root.default.acl_submit_applications",
                USER,
                // Two of the four GPUs.
                "yarn.scheduler.capacity.root.default.maximum-capacity",
                "50",
                // All nodes are there when the first job comes.
                "yarn.scheduler.treadle.refuse-too-large.settle-seconds",
                "0",
                "yarn.resource-types",
                "yarn.io/gpu,treadle.io/gpu-memory,treadle.io/storage-bandwidth"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void whatCannotWorkIsRefused() throws Exception {
        refused("field 'tasks' of the job is missing", file("version: 1"));
        refused("unknown field 'gpusPerWroker'", file("tasks: {worker: {command: x, gpusPerWroker: 1}}"));
        refused("unknown option '--gpu'.\nMaybe '--gpus'.", "--gpu", "1", "--", "true");
        refused("the cluster has no resource 'treadle.io/power'", "--queue", "ml", "--power", "100", "--", "true");
        refused("YARN grants at most 3 GPUs to one container", "--queue", "ml", "--gpus", "4", "--", "true");
        refused(
                "the cluster has 4 GPUs; this job's gang needs 5 (5 workers × 1 GPU)",
                Stream.of("--queue ml --workers 5 --gpus 1 -- true".split(" ")).toArray(String[]::new));
        refused(
                "queue 'root.default' can hold at most 2 GPUs; this job's gang needs 3 (1 worker × 3 GPUs)",
                "--queue",
                "default",
                "--gpus",
                "3",
                "--",
                "true");
        refused("and the largest such device has 40960 MiB", "--queue", "ml", "--gpu-memory", "50Gi", "--", "true");
        refused("there is no queue 'root.nix'.\nMaybe one of", "--queue", "root.nix", "--", "true");
        refused("there is no queue 'no.where'.\nMaybe one of", "--queue", "no.where", "--", "true");
        refused("'nix.py' of 'files' does not exist", "--queue", "ml", "--files", "nix.py", "--", "true");
        refused("'nix.zip' of 'archives' does not exist", "--queue", "ml", "--archives", "nix.zip", "--", "true");
        refused("there is no job file 'nix.yaml'", "nix.yaml");
        refused("is no application id", "kill", "job-7");
        refused("could not be looked up", "status", "application_1700000000000_0001");

        JavaProcess stranger = client("--queue", "ml", "--", "true").as("mallory");
        String said = refused(stranger);
        assertTrue(said.contains("User mallory does not have permission to submit"), said);
        Leftovers.assertNone(cluster);
    }

    @Test
    void aCommandThatFailsAtOnceShowsItsLastWords() throws Exception {
        JavaProcess client =
                client("--queue", "ml", "--memory", "256Mi", "--", "bash", "-c", "echo its last words >&2; exit 3");
        client.start();
        assertEquals(1, client.exitCode(), client::tail);
        String said = said(client);
        assertTrue(said.contains("ended with exit code 3"), said);
        assertTrue(said.contains("Its stderr ends with:\nits last words"), said);
        Leftovers.assertNone(cluster);
    }

    @Test
    void nonsenseInTheProgressFileDoesTheJobNoHarm() throws Exception {
        String nonsense = "import os, time\n"
                + "with open(os.environ['TREADLE_PROGRESS_FILE'], 'a') as f:\n"
                + "    f.write('no JSON\\n{\\n[1]\\n' + '{\"ts\": 1}\\n')\n"
                + "    for step in list(range(60000)) + [5, 4, 3]:\n"
                + "        f.write('{\"ts\": %f, \"step\": %d, \"samples\": %d}\\n' % (time.time(), step, step))\n";
        JavaProcess client = client("--queue", "ml", "--memory", "256Mi", "--", "python3", "-c", nonsense);
        client.start();
        assertEquals(0, client.exitCode(), client::tail);
        Leftovers.assertNone(cluster);
    }

    private static String file(String text) throws IOException {
        Path file = cluster.directory().resolve("job-" + clients + ".yaml");
        return Files.writeString(file, text + "\n").toString();
    }

    private static JavaProcess client(String... arguments) {
        List<String> all = Stream.concat(Stream.of(JarDirectories.amJar().toString()), Stream.of(arguments))
                .toList();
        return cluster.yarnJar("client-" + clients++, all.toArray(String[]::new));
    }

    private static void refused(String why, String... arguments) throws IOException {
        String said = refused(client(arguments));
        assertTrue(said.contains(why), said);
    }

    /** Returns what it said. */
    private static String refused(JavaProcess client) throws IOException {
        client.start();
        assertEquals(REFUSED, client.exitCode(), client::tail);
        String said = said(client);
        assertTrue(said.startsWith("treadle: "), said);
        assertFalse(said.contains("\tat ") || said.contains("Exception"), said);
        return said;
    }

    /** Without the lines of Hadoop's log. */
    private static String said(JavaProcess client) throws IOException {
        return String.join(
                "\n",
                client.output()
                        .lines()
                        .filter(line -> !line.matches("\\d{4}-\\d{2}-\\d{2} .* (INFO|WARN) .*"))
                        .toList());
    }
}
