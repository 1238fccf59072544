// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static io.treadle.rm.scheduler.RestCaller.by;
import static io.treadle.rm.scheduler.RestCaller.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.rm.web.TreadleResource;
import java.util.Objects;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.webapp.BadRequestException;
import org.apache.hadoop.yarn.webapp.ForbiddenException;
import org.apache.hadoop.yarn.webapp.NotFoundException;
import org.junit.jupiter.api.Test;

/** One job by REST: its history, its end, and who may see it. */
class JobRestTest {
    @Test
    void showsAJobToThoseWhoMaySeeItUntilAfterItsEnd() throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(true, "fifo+proportional");
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        conf.set(YarnConfiguration.YARN_ADMIN_ACL, "admin");
        conf.set("yarn.scheduler.capacity.root.acl_administer_queue", " ");
        conf.set("yarn.scheduler.capacity.root.ml.acl_administer_queue", "queen");
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            MockNM node = cluster.node(1001, 2, 8, 8192);
            MockAM am = cluster.startGang(SchedulerHarness.gang(2, 1, 1, 512), node);
            cluster.launch(cluster.awaitContainers(am));
            ApplicationId application = am.getApplicationAttemptId().getApplicationId();
            String id = application.toString();
            TreadleResource rest = new TreadleResource(cluster.resourceManager);
            String owner = UserGroupInformation.getCurrentUser().getShortUserName();
            cluster.awaitTrue(
                    "its size is noted",
                    () -> json(rest.job(by(owner), id, "", ""))
                                    .path("sizes")
                                    .path(0)
                                    .path("tasks")
                                    .asInt()
                            == 2);
            JsonNode job = json(rest.job(by(owner), id, "", ""));
            assertEquals(2, job.path("sizes").path(0).path("gpus").asInt());
            assertTrue(job.path("containers").path(0).path("logs").asText().contains("/node/containerlogs/"));

            for (String user : new String[] {owner, "admin", "queen"}) {
                assertEquals(1, json(rest.jobs(by(user), "", "")).path("jobs").size(), user);
            }
            assertEquals(0, json(rest.jobs(by("mallory"), "", "")).path("jobs").size());
            ForbiddenException forbidden =
                    assertThrows(ForbiddenException.class, () -> rest.job(by("mallory"), id, "", ""));
            assertEquals(
                    "user 'mallory' may not view '" + id + "'",
                    Objects.requireNonNull(forbidden.getCause()).getMessage());
            assertThrows(BadRequestException.class, () -> rest.job(by(owner), "job-1", "", ""));
            assertThrows(NotFoundException.class, () -> rest.job(by(owner), "application_1_0001", "", ""));

            cluster.resourceManager.killApp(application);
            cluster.resourceManager.waitForState(application, RMAppState.KILLED);
            cluster.awaitTrue("its end is noted", () -> json(rest.job(by(owner), id, "", ""))
                    .has("endMs"));
            JsonNode ended = json(rest.job(by(owner), id, "", ""));
            assertEquals("killed", ended.path("state").asText());
            assertEquals(2, ended.path("containers").size());
            assertThrows(ForbiddenException.class, () -> rest.job(by("mallory"), id, "", ""));
        }
    }
}
