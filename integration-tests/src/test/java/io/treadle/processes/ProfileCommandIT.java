// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.client.Main;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ZkPaths;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code treadle profile} as users type it, against a ResourceManager with access control. */
class ProfileCommandIT {
    private static final ProfileRecord PROFILE = new ProfileRecord(
            "application_1_0001",
            "resnet-50",
            "A100",
            256,
            ProfileRecord.Phase.READY,
            2,
            List.of(
                    new ProfileRecord.Point(1, 1024, 60, 5, 0.02, 1),
                    new ProfileRecord.Point(4, 1024, 240, 5, 0.02, 1),
                    new ProfileRecord.Point(8, 1024, 245, 5, 0.02, 1)),
            System.currentTimeMillis() - 3_600_000);
    private static final String STORED = ZkPaths.storedProfile("ada", "resnet-50", "A100", 256);

    private final Path directory;
    private int commands;

    ProfileCommandIT(@TempDir Path directory) {
        this.directory = directory;
    }

    private record Result(int exitCode, String output) {}

    private Result profile(EmbeddedCluster cluster, String user, String... words) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(Main.class.getName(), "profile"));
        arguments.addAll(List.of(words));
        arguments.add("-Dyarn.resourcemanager.webapp.address="
                + URI.create(cluster.webAddress()).getAuthority());
        String name = "profile-" + ++commands;
        JavaProcess process = new JavaProcess(
                        name,
                        directory.resolve(name),
                        System.getProperty("java.class.path"),
                        arguments.toArray(String[]::new))
                .withJvmOptions("-Dlog4j.configuration=command-log4j.properties")
                .as(user);
        process.start();
        return new Result(process.exitCode(), process.output());
    }

    private static HttpResponse<String> put(EmbeddedCluster cluster, String user, String key, String body)
            throws Exception {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(cluster.webAddress() + "/ws/v1/treadle/profiles/" + key
                                            + "?user.name=" + user))
                                    .header("Content-Type", "application/json")
                                    .PUT(HttpRequest.BodyPublishers.ofString(body))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (java.io.IOException e) {
            throw new IllegalStateException(key, e);
        }
    }

    @Test
    void everybodyHandlesTheirOwnProfilesAndAdministratorsAll() throws Exception {
        Path file = Files.writeString(directory.resolve("profile.json"), PROFILE.toJson());
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .node(new NodeShape("n1", 2048, 4, List.of(new DeviceShape(1, "A100", 40960, 400))))
                        .setting("yarn.acl.enable", "true")
                        .setting("yarn.admin.acl", "boss")
                        .start();
                CuratorFramework zooKeeper =
                        CuratorFrameworkFactory.newClient(cluster.zookeeperAddress(), new RetryOneTime(100))) {
            zooKeeper.start();
            Result none = profile(cluster, "ada", "list");
            assertEquals("no profiles", none.output().strip());

            Result imported = profile(cluster, "ada", "import", file.toString());
            assertEquals(
                    "imported ada/resnet-50/A100/256: 3 points",
                    imported.output().strip());
            assertEquals(
                    PROFILE,
                    ProfileRecord.fromJson(
                            STORED,
                            new String(zooKeeper.getData().forPath(STORED), java.nio.charset.StandardCharsets.UTF_8)));
            Result again = profile(cluster, "ada", "import", file.toString());
            assertEquals(2, again.exitCode());
            assertTrue(again.output().contains("Maybe '--replace'."), again.output());

            assertEquals("no profiles", profile(cluster, "eve", "list").output().strip());
            Result others = profile(cluster, "eve", "import", file.toString(), "--user", "ada");
            assertEquals(2, others.exitCode());
            assertEquals(
                    "treadle: user 'eve' may not change profiles of 'ada'",
                    others.output().strip());
            Result boss = profile(cluster, "boss", "list");
            assertTrue(
                    boss.output().matches("(?s).*resnet-50 +A100 +256 +3 +4 +1 h +1 +\\+- 2.0 % +ada\\s*"),
                    boss.output());

            HttpResponse<String> falling = put(cluster, "ada", "ada/resnet-50/T4/256", PROFILE.toJson());
            assertEquals(400, falling.statusCode(), falling.body());
            assertTrue(falling.body().contains("must be 'ada/resnet-50/T4/256' as in the address"), falling.body());
            HttpResponse<String> negative = put(
                    cluster, "ada", "ada/resnet-50/A100/256", PROFILE.toJson().replace("240.0", "-240.0"));
            assertEquals(400, negative.statusCode(), negative.body());
            assertTrue(negative.body().contains("'samplesPerSecond' is -240.0"), negative.body());

            Result shown = profile(cluster, "ada", "show", "resnet-50");
            assertTrue(shown.output().contains(": useful: 4 vcores, o measured"), shown.output());
            Result unknown = profile(cluster, "ada", "show", "resnet-51");
            assertEquals(2, unknown.exitCode());
            assertTrue(unknown.output().contains("Maybe 'resnet-50'."), unknown.output());

            Result forgotten = profile(cluster, "ada", "forget", "resnet-50");
            assertEquals(
                    "forgot resnet-50 on A100, batch size 256, of ada: 3 points, measured by 1 job, 60 min old",
                    forgotten.output().strip().replaceFirst("1 h old$", "60 min old"));
            assertEquals(null, zooKeeper.checkExists().forPath(STORED));
        }
    }
}
