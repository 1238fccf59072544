// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people are told of jobs, their own and others', with YARN's ACLs on; and what that costs the ResourceManager's log. */
class ViewedJobsIT {
    private static final String USER = System.getProperty("user.name");
    private static final int REFUSED = 2;
    /** YARN's proxy logs it for each page that it fetches. */
    private static final String PROXIED = "is accessing unchecked";

    private static final double POLL_SECONDS = 0.2;

    @SuppressWarnings("NullAway.Init") // set before every test
    private static ProcessCluster cluster;

    private static int clients;

    @BeforeAll
    static void start() throws Exception {
        cluster = ProcessCluster.start(Map.of(
                "yarn.acl.enable",
                "true",
                // The tests' own requests name nobody.
                "yarn.admin.acl",
                USER + ",dr.who",
                "yarn.scheduler.capacity.root.acl_administer_queue",
                USER,
                "yarn.scheduler.capacity.root.acl_submit_applications",
                "*"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static JavaProcess client(String... arguments) {
        return cluster.yarnJar(
                "viewer-" + clients++,
                Stream.concat(Stream.of(JarDirectories.amJar().toString()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static String run(JavaProcess client, int exitCode) throws IOException {
        client.start();
        assertEquals(exitCode, client.exitCode(), client::tail);
        return String.join(
                "\n",
                client.output()
                        .lines()
                        .filter(line -> !line.matches("\\d{4}-\\d{2}-\\d{2} .* (INFO|WARN) .*"))
                        .toList());
    }

    private static int proxied(String id, String user) throws IOException, InterruptedException {
        String address = cluster.configuration().get("yarn.resourcemanager.webapp.address");
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + address + "/proxy/" + id + "/status.json?user.name=" + user))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static long logLines(String what) throws IOException {
        try (Stream<String> lines = Files.lines(cluster.directory().resolve("rm.log"))) {
            return lines.filter(line -> line.contains(what)).count();
        }
    }

    @Test
    void peopleAreToldOfTheirOwnJobsAndNotOfOthers() throws Exception {
        long begun = System.nanoTime();
        TrainingJob job = TrainingJob.submit(cluster, "viewed", JobSizes.ASKED_VCORES, false);
        String id = job.id();
        job.awaitTraining();

        Await.until("the ApplicationMaster's page", () -> proxied(id, USER) == 200);
        assertEquals(403, proxied(id, "bob"));
        assertTrue(run(client("top"), 0).contains(id));
        assertTrue(run(client("explain", id), 0).startsWith("viewed (root.ml): "));
        String refused = run(client("explain", id).as("bob"), REFUSED);
        assertTrue(refused.startsWith("treadle: you may not view " + id), refused);
        String seen = run(client("top").as("bob"), 0);
        assertFalse(seen.contains(id), seen);
        assertTrue(seen.endsWith("1 more job, which you may not view"), seen);

        // Three of the four GPUs, of which two are taken.
        String waiting = run(
                client(
                        "--detach",
                        "-Dtreadle.acl.view=carol,dave",
                        "-Dtreadle.acl.modify=dave",
                        "--queue",
                        "ml",
                        "--workers",
                        "3",
                        "--gpus",
                        "1",
                        "--",
                        "true"),
                0);
        Await.until("the scheduler's reason", () -> explained(waiting).contains("Gang 0/3"));
        assertTrue(run(client("explain", waiting).as("carol"), 0).contains("Gang 0/3"));
        run(client("explain", waiting).as("bob"), REFUSED);
        long before = logLines(PROXIED);
        run(client("--dry-run", "--queue", "ml", "--", "true"), 0);
        String next = run(client("--detach", "--queue", "ml", "--", "true"), 0);
        assertEquals(
                ApplicationId.fromString(waiting).getId() + 1,
                ApplicationId.fromString(next).getId(),
                "a dry run takes no application id");
        assertEquals(0, logLines("OPERATION=getServiceState"));

        cluster.killResourceManager();
        cluster.startResourceManager();
        cluster.awaitNodes();
        Await.until("the scheduler's reason after a restart", () -> explained(waiting)
                .contains("Gang 0/3"));
        assertFalse(explained(waiting).contains("Attempt recovered"), () -> "what YARN says hides the reason");
        assertTrue(run(client("top"), 0).contains("Gang 0/3"));

        double seconds = (System.nanoTime() - begun) / 1e9;
        long pages = logLines(PROXIED);
        // With one page for each look there would be seconds / POLL_SECONDS of them.
        assertTrue(
                pages < seconds / POLL_SECONDS / 2 || seconds < 30,
                () -> pages + " pages in " + seconds + " s, of them " + before + " before the restart");
        System.out.printf("followed for %.0f s: %d pages through the proxy%n", seconds, pages);
        // The next ResourceManager knows them, too.
        run(client("kill", waiting).as("dave"), 0);
        assertEquals(0, job.finish(), job::tail);
        for (String ended : List.of(id, waiting)) {
            assertTrue(explained(ended).contains("over, "), () -> "state of a job that has ended");
        }
    }

    private static String explained(String id) throws IOException {
        return run(client("explain", id), 0);
    }
}
