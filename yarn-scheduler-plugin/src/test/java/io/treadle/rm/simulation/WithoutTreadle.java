// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Whether somebody who waits under Treadle would be served without it. A rule that says so from outside would be a second
 * CapacityScheduler: it has reasons to grant nothing where there is room. What one queue cannot use now it keeps from the
 * others, and it proposes, at each heartbeat of a node, a reservation that its own commit refuses, and then looks at nobody
 * else. So CapacityScheduler itself is asked: the simulation is run again, and where somebody waits a ResourceManager without
 * Treadle takes the cluster over as it stands. Masters of gangs stay silent, as what their gangs wait for is in nobody's way
 * under Treadle.
 */
final class WithoutTreadle {
    /** Heartbeats in which nodes and masters find the new ResourceManager, register and ask again. */
    private static final int ARRIVALS = 4;

    /** Heartbeats in which masters fetch what is granted, and nodes say that it runs. */
    private static final int FETCHES = 2;

    private static final int ROUNDS = 60;

    private WithoutTreadle() {}

    static boolean serves(Scenario scenario, Waits.Waiting waiting) throws Exception {
        try (SimulatedCluster cluster = new SimulatedCluster(scenario.setting(), false)) {
            // The same beginning as in the simulation: what differs takes another course.
            new NothingIsLeft(cluster);
            for (Event event : scenario.events()) {
                Simulation.happen(event, cluster);
            }
            CalmTime calm = new CalmTime(() -> {});
            calm.begin(cluster);
            String books = calm.unserved().map(Waits.Waiting::books).orElse("nobody waits for room that is there");
            if (!books.equals(waiting.books())) {
                throw new Violation(
                        "a seed takes one course",
                        "first it came to this:\n" + waiting.books() + "and then to this:\n" + books);
            }
            // A container that its master has not fetched would be lost, and its room be there for others.
            cluster.endNoTasks();
            beat(cluster, FETCHES);
            int before = containers(cluster, waiting.application());
            cluster.restartWithoutTreadle();
            beat(cluster, ARRIVALS);
            cluster.time.advance(Setting.RECOVERY_MS + 1);
            for (int i = 0; i < ROUNDS; i++) {
                calm.roundWithoutMasters(cluster);
                if (containers(cluster, waiting.application()) > before) {
                    return true;
                }
            }
            return false;
        }
    }

    /** After a restart all must have asked before the first gets anything: a new ResourceManager grants nothing for a while. */
    private static void beat(SimulatedCluster cluster, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            for (SimulatedNode node : cluster.nodes()) {
                node.beat();
                cluster.drain();
            }
            for (SimulatedApplication application : cluster.applications()) {
                if (!application.job.isGang()) {
                    application.beat(true);
                    cluster.drain();
                }
            }
        }
    }

    private static int containers(SimulatedCluster cluster, ApplicationId id) {
        SchedulerApplication<FiCaSchedulerApp> application =
                cluster.scheduler().getSchedulerApplications().get(id);
        FiCaSchedulerApp attempt = application == null ? null : application.getCurrentAppAttempt();
        return attempt == null ? 0 : attempt.getLiveContainers().size();
    }
}
