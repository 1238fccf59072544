// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

/**
 * One thing that happens. It names what it is about, so that it means the same when events before it are left out. Where it
 * cannot happen, as its application is gone, nothing happens.
 */
sealed interface Event {
    void happen(SimulatedCluster cluster) throws Exception;

    record Submit(Job job) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.submit(job);
        }

        @Override
        public String toString() {
            return "submit " + job;
        }
    }

    /** The heartbeat of an ApplicationMaster, or its start. */
    record MasterBeat(int application, boolean heard) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            var found = cluster.application(application);
            if (found.isPresent()) {
                found.get().beat(heard);
            }
        }

        @Override
        public String toString() {
            return "heartbeat of the master of a" + application + (heard ? "" : ", whose answer is lost");
        }
    }

    record NodeBeat(int node) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.node(node).beat();
        }

        @Override
        public String toString() {
            return "heartbeat of node " + node;
        }
    }

    record Round() implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.round();
        }

        @Override
        public String toString() {
            return "round of the planner";
        }
    }

    /** Everybody speaks once. */
    record Everybody() implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            for (SimulatedNode node : cluster.nodes()) {
                node.beat();
                cluster.drain();
            }
            for (SimulatedApplication application : cluster.applications()) {
                application.beat(true);
                cluster.drain();
            }
            if (cluster.proposals().isPresent()) {
                HeldProposals proposals = cluster.proposals().get();
                for (SimulatedNode node : cluster.nodes()) {
                    proposals.propose(node.id);
                }
                // What is planned meanwhile is in the way of some.
                cluster.round();
                while (proposals.count() > 0) {
                    proposals.commit(0);
                    cluster.drain();
                }
            } else {
                cluster.round();
            }
        }

        @Override
        public String toString() {
            return "heartbeats of all nodes and masters, and a round of the planner";
        }
    }

    /** Asynchronous scheduling: CapacityScheduler makes a proposal for a node. */
    record Propose(int node) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            if (cluster.proposals().isPresent()) {
                cluster.proposals().get().propose(cluster.node(node).id);
            }
        }

        @Override
        public String toString() {
            return "asynchronous proposal for node " + node;
        }
    }

    /** Asynchronous scheduling: one of the proposals that wait is committed. */
    record Commit(int which) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            if (cluster.proposals().isPresent()) {
                cluster.proposals().get().commit(which);
            }
        }

        @Override
        public String toString() {
            return "commit of asynchronous proposal " + which;
        }
    }

    record Preempt() implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.preempt();
        }

        @Override
        public String toString() {
            return "YARN's preemption looks";
        }
    }

    record Lose(int node) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.lose(cluster.node(node));
        }

        @Override
        public String toString() {
            return "node " + node + " is lost";
        }
    }

    record NodeManagerRestarts(int node) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.node(node).restart();
        }

        @Override
        public String toString() {
            return "the NodeManager of node " + node + " restarts";
        }
    }

    /** As after a network that was cut: the node runs on, and finds out at its next heartbeat. */
    record GiveUp(int node) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.giveUp(cluster.node(node));
        }

        @Override
        public String toString() {
            return "YARN takes node " + node + " for lost, which it is not";
        }
    }

    record Join(int node) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.join(cluster.node(node));
        }

        @Override
        public String toString() {
            return "node " + node + " comes back";
        }
    }

    record TurnDevice(int node, int device) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.turnDevice(cluster.node(node), device);
        }

        @Override
        public String toString() {
            return "GPU " + device + " of node " + node + " fails, or works again";
        }
    }

    record Relabel(int node, String label) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.relabel(cluster.node(node), label);
        }

        @Override
        public String toString() {
            return "node " + node + " gets " + (label.isEmpty() ? "no label" : "label " + label);
        }
    }

    record Refresh(int share, int most) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.refresh(cluster.setting().refreshed(share, most));
        }

        @Override
        public String toString() {
            return "queues are refreshed: plain has " + share + " % and at most " + most + " %";
        }
    }

    record Kill(int application) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            var found = cluster.application(application);
            if (found.isPresent()) {
                found.get().kill();
            }
        }

        @Override
        public String toString() {
            return "a" + application + " is killed";
        }
    }

    record Crash(int application) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.application(application).ifPresent(SimulatedApplication::crash);
        }

        @Override
        public String toString() {
            return "the master of a" + application + " crashes";
        }
    }

    record Resize(int application, int which, boolean grows) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.application(application).ifPresent(found -> found.resize(which, grows));
        }

        @Override
        public String toString() {
            return "a" + application + " wants container " + which + (grows ? " larger" : " smaller");
        }
    }

    /** As {@code yarn application -movetoqueue}. Hadoop moves a plain application's container that shrinks twice: gangs alone are moved. */
    record Move(int application, String queue) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.application(application)
                    .filter(found -> found.job.isGang())
                    .ifPresent(gang -> cluster.move(gang, queue));
        }

        @Override
        public String toString() {
            return "a" + application + " is moved to " + queue;
        }
    }

    record RecordsGo() implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.records.goAway();
        }

        @Override
        public String toString() {
            return "ZooKeeper is away";
        }
    }

    record RecordsComeBack() implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.records.comeBack();
        }

        @Override
        public String toString() {
            return "ZooKeeper is back";
        }
    }

    record PoliciesFail(boolean fail) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.policiesFail(fail);
        }

        @Override
        public String toString() {
            return fail ? "policies fail" : "policies work again";
        }
    }

    record Restart() implements Event {
        @Override
        public void happen(SimulatedCluster cluster) throws Exception {
            cluster.restart();
        }

        @Override
        public String toString() {
            return "the ResourceManager restarts";
        }
    }

    record Pass(long ms) implements Event {
        @Override
        public void happen(SimulatedCluster cluster) {
            cluster.time.advance(ms);
        }

        @Override
        public String toString() {
            return ms + " ms pass";
        }
    }
}
