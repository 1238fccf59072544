// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.scheduler.PlannerHealth;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page says first what is wrong with the planner. */
class PlannerShownTest {
    private static String page(PlannerHealth.Report planner) {
        return ClusterPage.render(
                new BigCluster(2, 1).view(planner), parts -> "/cluster/" + String.join("/", parts), Map.of());
    }

    @Test
    void plannerThatStandsStillAndRoundsThatFailedAreShown() {
        String page = page(new PlannerHealth.Report("plan", 31_000, true, 2, "plan queue root.<ml>: an error"));
        assertTrue(
                page.startsWith(
                        "<div class=\"treadle\"><p>No job is planned: the planner has been busy for 31 s to plan. The"
                                + " ResourceManager&#39;s log says where it stands.</p><p>Rounds of the planner have failed 2 times in part,"
                                + " last: plan queue root.&lt;ml&gt;: an error</p>"),
                page);
    }

    @Test
    void nothingIsSaidOfAPlannerThatIsWell() {
        assertFalse(page(BigCluster.CALM).contains("planner"));
        assertFalse(page(new PlannerHealth.Report("plan", 10, false, 0, "")).contains("planner"));
    }
}
