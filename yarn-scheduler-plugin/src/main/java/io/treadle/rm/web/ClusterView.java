// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.PowerReport;
import io.treadle.rm.scheduler.PlannerHealth;
import io.treadle.rm.scheduler.QueueAdmission;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * What one viewer sees of the cluster at a moment.
 *
 * @param jobs those that the viewer may see, in order of submission
 * @param running jobs of everybody that have containers
 * @param waiting jobs of everybody that have none
 * @param ended those that the viewer may see, the newest first
 * @param policyOf the name of a queue's policy
 * @param admissions how near the choice of jobs comes to the best in queues whose policies tell
 * @param planner what is wrong with the planner, if anything
 * @param power what is drawn and was spent, of everybody
 * @param maySeeEnergyOf whether the viewer may see what a user has spent
 * @param nowMs ms since the epoch
 * @param endedAs YARN's final status of an application; {@code ended} where YARN has forgotten it
 */
record ClusterView(
        List<StatusReport.Job> jobs,
        long running,
        long waiting,
        List<JobHistories.EndedJob> ended,
        List<StatusReport.Queue> queues,
        List<StatusReport.Node> nodes,
        JobHistories histories,
        UnaryOperator<String> policyOf,
        Function<ApplicationId, String> endedAs,
        List<QueueAdmission> admissions,
        PlannerHealth.Report planner,
        PowerReport power,
        Predicate<String> maySeeEnergyOf,
        long nowMs) {

    static ClusterView of(
            TreadleScheduler scheduler, Viewer viewer, Function<ApplicationId, String> endedAs, long nowMs) {
        StatusReport report = scheduler.report();
        List<Gang> gangs = scheduler.gangs().all();
        List<StatusReport.Job> all = gangs.stream().map(report::job).toList();
        long running = all.stream().filter(j -> !j.tasks().isEmpty()).count();
        return new ClusterView(
                all.stream().filter(j -> viewer.mayView(j.gang())).toList(),
                running,
                all.size() - running,
                scheduler.histories().ended().stream()
                        .filter(e -> viewer.mayView(e.job().gang()))
                        .toList(),
                report.queues(gangs),
                report.nodes(),
                scheduler.histories(),
                scheduler::policyName,
                endedAs,
                scheduler.admissions(),
                scheduler.planner(),
                scheduler.power().report(report.leafQueues()),
                viewer::maySeeEnergyOf,
                nowMs);
    }
}
