// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static io.treadle.rm.scheduler.RestCaller.by;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.rm.web.PowerResource;
import io.treadle.rm.web.ProfilesResource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.ForbiddenException;
import org.apache.hadoop.yarn.webapp.NotFoundException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Power budgets and stored profiles over REST, with YARN's ACLs on and off. */
class WhoMayChangeTest {
    private static final String BUDGET = "{\"cluster\":true,\"watts\":1}";

    private interface Call {
        void run() throws Exception;
    }

    private static String answer(Call call) throws Exception {
        try {
            call.run();
            return "yes";
        } catch (NotFoundException e) {
            return "yes";
        } catch (ForbiddenException e) {
            return "no";
        }
    }

    /**
     * The columns: ACLs, {@code yarn.admin.acl} (Hadoop's default where it is empty), who asks ({@code SELF} for the
     * ResourceManager's own user, {@code dr.who} where the caller gives no name), whether that user may set budgets, and whether it
     * may change profiles of ann.
     */
    @ParameterizedTest
    @CsvSource({
        "false, '',        dr.who,  no,  no",
        "false, '',        mallory, no,  no",
        "false, '',        ann,     no,  yes",
        "false, '',        SELF,    yes, yes",
        "false, '*',       mallory, no,  no",
        "false, 'boss',    boss,    yes, yes",
        "false, 'boss',    mallory, no,  no",
        "false, 'boss',    dr.who,  no,  no",
        "false, 'dr.who',  dr.who,  no,  no",
        "true,  'boss',    boss,    yes, yes",
        "true,  'boss',    mallory, no,  no",
        "true,  'boss',    ann,     no,  yes",
        "true,  'boss',    SELF,    yes, yes",
        "true,  '*',       mallory, yes, yes",
        "true,  '*',       dr.who,  no,  no",
    })
    void administratorsAndUsersThemselves(
            boolean hasAcls, String admins, String caller, String budgets, String profiles) throws Exception {
        YarnConfiguration conf = SchedulerHarness.settings(false, "fifo");
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, hasAcls);
        if (!admins.isEmpty()) {
            conf.set(YarnConfiguration.YARN_ADMIN_ACL, admins);
        }
        String user =
                caller.equals("SELF") ? UserGroupInformation.getLoginUser().getShortUserName() : caller;
        try (SchedulerHarness cluster = SchedulerHarness.start(conf)) {
            PowerResource power = new PowerResource(cluster.resourceManager);
            assertEquals(
                    budgets,
                    answer(() ->
                            power.set(by(user), new ByteArrayInputStream(BUDGET.getBytes(StandardCharsets.UTF_8)))),
                    "budgets");
            ProfilesResource store = new ProfilesResource(cluster.resourceManager);
            assertEquals(profiles, answer(() -> store.forget(by(user), "ann", "resnet", "A100", "0")), "profiles");
        }
    }
}
