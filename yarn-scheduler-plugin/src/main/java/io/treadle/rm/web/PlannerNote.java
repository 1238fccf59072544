// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.scheduler.PlannerHealth;

/** What an admin should know of the planner: nothing, while all is well. */
final class PlannerNote {
    private PlannerNote() {}

    static String of(PlannerHealth.Report planner) {
        Markup note = new Markup().open("div", "class", "treadle");
        if (planner.stuck()) {
            note.element(
                    "p",
                    "No job is planned: the planner has been busy for " + planner.busyMs() / 1000 + " s to "
                            + planner.activity() + ". The ResourceManager's log says where it stands.");
        }
        if (planner.failures() > 0) {
            note.element(
                    "p",
                    "Rounds of the planner have failed " + planner.failures() + " times in part, last: "
                            + planner.lastFailure());
        }
        return note.close().toString();
    }
}
