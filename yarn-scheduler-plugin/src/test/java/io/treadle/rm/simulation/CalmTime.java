// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.util.Optional;

/**
 * The time after the last event: what was broken works again, and everybody speaks in turn. Whatever waits now for what is
 * there, or what its queue is owed, must get it within a bounded number of rounds.
 */
final class CalmTime {
    private static final int ROUNDS = 30;
    /** Rounds in which what is owed comes: tasks of others end every few rounds. */
    private static final int PATIENCE = 250;

    private static final long ROUND_MS = 500;

    private final Looks looks;
    private final Waits waits = new Waits();
    private final EndedForGangs ended = new EndedForGangs();
    private Optional<Waits.Waiting> unserved = Optional.empty();

    interface Looks {
        void look() throws Exception;
    }

    CalmTime(Looks looks) {
        this.looks = looks;
    }

    void pass(SimulatedCluster cluster) throws Exception {
        begin(cluster);
        waits.reserved(cluster).ifPresent(gang -> {
            throw new Violation("no node is reserved for a gang whose tasks come through plans", gang);
        });
        grantsWhatIsOwed(cluster);
        proposesNothingForEver(cluster);
    }

    /** Until nobody gets more, and somebody may wait in vain. */
    void begin(SimulatedCluster cluster) throws Exception {
        cluster.records.comeBack();
        cluster.policiesFail(false);
        for (int i = 0; i < ROUNDS; i++) {
            round(cluster);
        }
        grantsWhatFits(cluster);
    }

    /** Who waits although there seems to be room for him; whether CapacityScheduler would give it to him is not known. */
    Optional<Waits.Waiting> unserved() {
        return unserved;
    }

    private void round(SimulatedCluster cluster) throws Exception {
        new Event.Everybody().happen(cluster);
        cluster.preempt();
        // What they hold would stay theirs; a ResourceManager that takes over gives it back at once.
        cluster.applications().forEach(SimulatedApplication::finishingExpires);
        after(cluster);
        ended.look(cluster);
    }

    private void after(SimulatedCluster cluster) throws Exception {
        cluster.drain();
        cluster.time.advance(ROUND_MS);
        looks.look();
    }

    /** Nobody asks and nothing ends meanwhile. */
    private void grantsWhatFits(SimulatedCluster cluster) throws Exception {
        for (int i = 0; i < PATIENCE; i++) {
            quietRound(cluster);
            unserved = waits.inVain(cluster);
            if (i >= 3 && unserved.isEmpty()) {
                return;
            }
        }
        if (unserved.isPresent() && unserved.get().isGang()) {
            throw new Violation(Waits.RULE, unserved.get().text());
        }
    }

    /** Nodes beat and the scheduler works; masters of gangs hear of new sizes and ask for nothing. */
    private void quietRound(SimulatedCluster cluster) throws Exception {
        nodesAndScheduler(cluster);
        for (SimulatedApplication application : cluster.applications()) {
            if (cluster.treadle().isPresent()) {
                application.listen();
                cluster.drain();
            }
        }
        after(cluster);
    }

    /** As a quiet round, and no ApplicationMaster speaks. */
    void roundWithoutMasters(SimulatedCluster cluster) throws Exception {
        nodesAndScheduler(cluster);
        after(cluster);
    }

    private static void nodesAndScheduler(SimulatedCluster cluster) throws Exception {
        for (SimulatedNode node : cluster.nodes()) {
            node.beat();
            cluster.drain();
        }
        if (cluster.proposals().isPresent()) {
            HeldProposals proposals = cluster.proposals().get();
            for (SimulatedNode node : cluster.nodes()) {
                proposals.propose(node.id);
            }
            while (proposals.count() > 0) {
                proposals.commit(0);
            }
        }
        cluster.round();
    }

    private void grantsWhatIsOwed(SimulatedCluster cluster) throws Exception {
        Optional<String> owed = waits.owed(cluster);
        for (int i = 0; i < PATIENCE && owed.isPresent(); i++) {
            round(cluster);
            owed = waits.owed(cluster);
        }
        if (owed.isPresent()) {
            throw new Violation("what a queue is owed comes", owed.get());
        }
    }

    private void proposesNothingForEver(SimulatedCluster cluster) throws Exception {
        long before = vetoes(cluster);
        for (int i = 0; i < ROUNDS; i++) {
            quietRound(cluster);
        }
        long vetoes = vetoes(cluster) - before;
        if (vetoes > ROUNDS / 2) {
            throw new Violation(
                    "nothing that is refused is proposed for ever", vetoes + " refusals in " + ROUNDS + " rounds");
        }
    }

    private static long vetoes(SimulatedCluster cluster) {
        return cluster.treadle()
                .map(io.treadle.rm.scheduler.SteppedScheduler::vetoes)
                .orElse(0L);
    }
}
