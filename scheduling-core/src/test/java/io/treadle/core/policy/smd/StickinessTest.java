// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.JobView;
import io.treadle.core.job.Sizing;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who runs is not stopped, and not given another size, for little. */
class StickinessTest {
    private static final ResourceVector PAIR = PsJobs.WORKER.plus(PsJobs.SERVER);
    /** A change of size would never pay by the time that it saves. */
    private static final double FOREVER = 1e9;

    private static SmdRules rules(double sticky) {
        return new SmdRules(.05, .05, 1, 1_000_000, 1, sticky, 1e9, false, 30_000);
    }

    private static List<Chooser> choosers(double sticky) {
        SmdRules rules = rules(sticky);
        return List.of(
                SmdChooser.trimmed(rules),
                SmdChooser.plain(rules),
                SmdChooser.exact(rules),
                new MenuChooser(rules, Profit.AN_HOUR),
                new MenuChooser(rules, Profit.WORTH));
    }

    /** A worker and a server, whatever there is. */
    private static JobView pair(String id, double weight) {
        return PsJobs.job(
                id,
                PsJobs.resLike().sizing().model().orElseThrow(),
                20_000,
                PsJobs.WORKER,
                PsJobs.SERVER,
                PAIR,
                1,
                PsJobs.utility(weight, .1, 36_000));
    }

    /** There is room for one of two that differ in nothing but what they are worth. */
    private static void assertAdmitted(String expected, double weightOfOther, double sticky) {
        for (Chooser chooser : choosers(sticky)) {
            Pool pool = PsPools.pool(
                    PAIR, 30, List.of(PsJobs.running(pair("runs", 100), "n0", 1, 1), pair("waits", weightOfOther)));
            List<Sized> admitted = chooser.choose(pool).jobs();
            assertEquals(
                    List.of(expected),
                    admitted.stream().map(one -> one.job().id()).toList());
        }
    }

    /** What runs counts for a tenth more. */
    @Test
    void whoRunsIsStoppedForWhoIsWorthATenthMore() {
        assertAdmitted("runs", 109, .1);
        assertAdmitted("waits", 111, .1);
        assertAdmitted("waits", 101, 0);
        assertAdmitted("runs", 99, 0);
    }

    /** By what it is worth it would have 11 workers and 12 servers; GPUs are scarce. */
    private static PsSize size(int heldWorkers, int heldServers) {
        JobView job = PsJobs.lmLike()
                .withSizing(new Sizing(
                        PsJobs.utility(100, 2, 8400),
                        PsJobs.lmLike().sizing().model(),
                        PsJobs.lmLike().sizing().cap()));
        JobView running = heldWorkers == 0 ? job : PsJobs.running(job, "n0", heldWorkers, heldServers);
        Pool pool = PsPools.pool(ResourceVector.of(24, 400, 4000), FOREVER, List.of(running));
        return SmdChooser.trimmed(rules(.1)).choose(pool).jobs().get(0).size();
    }

    /** Another size that saves no time must take a tenth less: 11 GPUs in place of 13, not in place of 12. */
    @Test
    void aSizeIsKeptWhereAnotherTakesHardlyLess() {
        assertEquals(new PsSize(11, 12), size(0, 0));
        assertEquals(new PsSize(12, 9), size(12, 9));
        assertEquals(new PsSize(11, 12), size(13, 7));
    }
}
