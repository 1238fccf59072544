// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClientConfTest {
    @Test
    void defaults() {
        assertSame(new ClientConf(), ClientConf.from(new Configuration(false)));
        ClientConf conf = new ClientConf();
        assertEquals("", conf.stagingDir());
        assertEquals("", conf.amJar());
        assertEquals("", conf.amExtraClasspath());
        assertEquals("", conf.amJavaOptions());
        assertEquals(600_000, conf.amFailuresValidityMs());
        assertEquals(List.of(), conf.applicationTags());
        assertEquals(1000, conf.pollIntervalMs());
        assertEquals(2000, conf.statusTimeoutMs());
    }

    @Test
    void explicitProperties() {
        Configuration hadoop = new Configuration(false);
        hadoop.set("treadle.staging-dir", "hdfs:///staging");
        hadoop.set("treadle.am.jar", "/opt/treadle/treadle-am.jar");
        hadoop.set("treadle.am.extra-classpath", "/opt/extra/*");
        hadoop.set("treadle.am.java-options", "-verbose:gc");
        hadoop.set("treadle.am.attempt-failures-validity-ms", "60000");
        hadoop.set("treadle.application-tags", "team-a, nightly");
        hadoop.set("treadle.acl.view", " staff,ops ");
        hadoop.set("treadle.acl.modify", "ann,bob");
        hadoop.set("treadle.client.poll-interval-ms", "250");
        hadoop.set("treadle.client.status-timeout-ms", "500");
        assertSame(
                new ClientConf()
                        .setStagingDir("hdfs:///staging")
                        .setAmJar("/opt/treadle/treadle-am.jar")
                        .setAmExtraClasspath("/opt/extra/*")
                        .setAmJavaOptions("-verbose:gc")
                        .setAmFailuresValidityMs(60_000)
                        .setApplicationTags(List.of("team-a", "nightly"))
                        .setViewAcl(" staff,ops")
                        .setModifyAcl("ann,bob")
                        .setPollIntervalMs(250)
                        .setStatusTimeoutMs(500),
                ClientConf.from(hadoop));
    }

    @Test
    void refusesReservedTagsAndOddNumbers() {
        assertEquals(
                "treadle.application-tags holds 'treadle.dev.GPU-1.all', must hold no tag that begins with 'treadle.':"
                        + " these are the scheduler's.\nMaybe 'dev.GPU-1.all'.",
                refusal("treadle.application-tags", "ok,treadle.dev.GPU-1.all"));
        assertEquals(
                "treadle.client.poll-interval-ms is '1s', must be a whole number from 50 to 3600000",
                refusal("treadle.client.poll-interval-ms", "1s"));
        assertEquals(
                "treadle.client.status-timeout-ms is '0', must be a whole number from 50 to 600000",
                refusal("treadle.client.status-timeout-ms", "0"));
    }

    @Test
    void aclsAreUsersAndGroups() {
        for (String right : List.of("", "*", "ann", "ann,bob", "ann staff", " staff", "ann,bob staff,ops")) {
            assertEquals(right, new ClientConf().setViewAcl(right).viewAcl());
        }
        assertEquals("", new ClientConf().setModifyAcl("  ").modifyAcl());
        assertEquals(
                "treadle.acl.view is 'ann staff ops', must be users by commas, then a blank and groups by commas, as in"
                        + " 'ann,bob staff', or '*'",
                refusal("treadle.acl.view", "ann staff ops"));
        assertEquals(
                "treadle.acl.modify is 'ann,*', must be users by commas, then a blank and groups by commas, as in"
                        + " 'ann,bob staff', or '*'",
                refusal("treadle.acl.modify", "ann,*"));
    }

    private static String refusal(String key, String value) {
        Configuration hadoop = new Configuration(false);
        hadoop.set(key, value);
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> ClientConf.from(hadoop))
                .getMessage());
    }

    private static void assertSame(ClientConf expected, ClientConf actual) {
        assertEquals(expected.stagingDir(), actual.stagingDir());
        assertEquals(expected.amJar(), actual.amJar());
        assertEquals(expected.amExtraClasspath(), actual.amExtraClasspath());
        assertEquals(expected.amJavaOptions(), actual.amJavaOptions());
        assertEquals(expected.amFailuresValidityMs(), actual.amFailuresValidityMs());
        assertEquals(expected.applicationTags(), actual.applicationTags());
        assertEquals(expected.viewAcl(), actual.viewAcl());
        assertEquals(expected.modifyAcl(), actual.modifyAcl());
        assertEquals(expected.pollIntervalMs(), actual.pollIntervalMs());
        assertEquals(expected.statusTimeoutMs(), actual.statusTimeoutMs());
    }
}
