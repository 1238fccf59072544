// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client is ended while it submits, at every point. It uploads a named pipe, which holds it for as long as a test
 * wants. Ctrl-C's signal would do what {@code TERM} does, but whoever runs these tests in the background ignores it.
 */
class KilledClientIT {
    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    private static int clients;

    @BeforeAll
    static void start() throws Exception {
        cluster = ProcessCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** A client in the middle of its upload. */
    private record Uploading(JavaProcess client, RandomAccessFile pipe) implements AutoCloseable {
        static Uploading start() throws Exception {
            Path file = cluster.directory().resolve("pipe-" + clients);
            assertEquals(
                    0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
            // Read and write: opening it alone does not wait for the other side.
            RandomAccessFile pipe = new RandomAccessFile(file.toFile(), "rw");
            JavaProcess client = newClient("--files", file + "#pipe");
            client.start();
            Await.until("upload of the pipe", () -> {
                if (client.hasEnded()) {
                    throw new Await.HopelessException("the client has ended:\n" + client.tail());
                }
                // It opens the pipe twice: the first time only to see that it can, before anything is staged. Before
                // the
                // second time, what is written would be gone with the test's own end of the pipe.
                return staged().anyMatch(job -> Files.exists(job.resolve("files/pipe")))
                        && client.hasOpen(file.toRealPath());
            });
            return new Uploading(client, pipe);
        }

        @Override
        public void close() throws IOException {
            pipe.close();
        }
    }

    private static JavaProcess newClient(String... options) {
        List<String> arguments = Stream.of(
                        Stream.of(JarDirectories.amJar().toString()),
                        Stream.of("--queue", "ml", "--memory", "256Mi"),
                        Stream.of(options),
                        Stream.of("--", "true"))
                .flatMap(words -> words)
                .toList();
        return cluster.yarnJar("client-" + clients++, arguments.toArray(String[]::new));
    }

    private static Stream<Path> staged() throws IOException {
        return Leftovers.staged(cluster).stream();
    }

    @Test
    void aClientThatIsToldToEndWhileItUploadsLeavesNothing() throws Exception {
        try (Uploading uploading = Uploading.start()) {
            uploading.client().signal("TERM");
            assertNotEquals(0, uploading.client().exitCode());
        }
        Leftovers.assertNone(cluster);
    }

    @Test
    void whatAClientLeftThatWasKilledWhileItUploadedIsRemovedByTheNext() throws Exception {
        try (Uploading uploading = Uploading.start()) {
            uploading.client().kill();
        }
        assertEquals(1, staged().count());
        nextClientTidiesUp();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "KILL"})
    void aClientThatEndsWhileYarnDecidesLeavesNothing(String signal) throws Exception {
        try (Uploading uploading = Uploading.start()) {
            cluster.pauseResourceManager();
            try {
                uploading.pipe().write('x');
                uploading.pipe().close();
                Await.until("end of the upload", () -> staged().anyMatch(KilledClientIT::isWhole));
                uploading.client().signal(signal);
            } finally {
                cluster.resumeResourceManager();
            }
            assertNotEquals(0, uploading.client().exitCode());
        }
        // Whether the submission still came through or not, nothing may go on for ever.
        Await.until("end of every application", () -> {
            cluster.checkAlive();
            JsonNode apps =
                    cluster.rest().get("/ws/v1/cluster/apps").path("apps").path("app");
            return StreamSupport.stream(apps.spliterator(), false)
                    .allMatch(app -> app.path("finishedTime").asLong() > 0);
        });
        if (signal.equals("KILL")) {
            nextClientTidiesUp();
        } else {
            Leftovers.assertNone(cluster);
        }
    }

    private static boolean isWhole(Path job) {
        return job.resolve("files/pipe").toFile().length() == 1;
    }

    @Test
    void aJobWhoseClientIsKilledComesToItsEndAndLeavesNothing() throws Exception {
        TrainingJob job = TrainingJob.submit(cluster, "alone", 2, false);
        job.awaitTraining();
        job.killClient();
        job.letFinish();
        Leftovers.assertNone(cluster);
    }

    /** Another submission of the user, some time later. */
    private static void nextClientTidiesUp() throws Exception {
        for (Path job : staged().toList()) {
            for (Path file : List.of(job.resolve("uploading"), job)) {
                age(file);
            }
        }
        JavaProcess next = newClient();
        next.start();
        assertEquals(0, next.exitCode(), next::tail);
        Leftovers.assertNone(cluster);
    }

    private static void age(Path file) throws IOException {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofMinutes(11))));
        } catch (NoSuchFileException e) {
            // The job came through after all, and its ApplicationMaster tidies up.
        }
    }
}
