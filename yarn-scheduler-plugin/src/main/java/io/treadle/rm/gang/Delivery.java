// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.gang;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;

/**
 * Hides the members of a gang from its ApplicationMaster until all of them are committed. A gang is <em>forming</em>
 * while its members are committed or taken back in several holds of the scheduler's lock: its ApplicationMaster gets no
 * answer meanwhile. A gang is <em>broken</em> when a member was lost before the ApplicationMaster fetched it: the other
 * members are taken back before the next answer.
 *
 * <p>Its lock is taken before the scheduler's write lock and never after it. No thread waits here for a forming gang
 * except the thread that answers its ApplicationMaster.
 */
public final class Delivery {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition settled = lock.newCondition();
    /** Members that are committed and not yet fetched; guarded by the lock. */
    private List<RMContainer> members = new ArrayList<>();
    /** The nodes of these members, and of those that are still to be committed. */
    private volatile Set<NodeId> nodes = Set.of();
    /** Guarded by the lock. */
    private boolean forming;

    private volatile boolean broken;

    /**
     * The gang begins to form.
     *
     * @param planned nodes of the members that will be committed
     * @return false where its ApplicationMaster is being answered, where it is forming, and where it is broken
     */
    public boolean begin(Set<NodeId> planned) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (forming || broken) {
                return false;
            }
            Set<NodeId> all = new HashSet<>(planned);
            members.forEach(member -> all.add(member.getAllocatedNode()));
            nodes = all;
            forming = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * All new members are committed: the ApplicationMaster may fetch them.
     *
     * @param whole whether all of them are still there; it may take the scheduler's lock
     * @return false where a member was lost meanwhile; then the gang is still forming
     */
    public boolean grant(List<RMContainer> committed, BooleanSupplier whole) {
        lock.lock();
        try {
            if (broken || !whole.getAsBoolean()) {
                return false;
            }
            members.addAll(committed);
            settle();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The new members are taken back; those that were granted before are still to be fetched.
     *
     * @param left those of which some could not be taken back: with them the gang is broken, so that none is ever fetched
     */
    public void abandon(List<RMContainer> left) {
        lock.lock();
        try {
            broken = (broken && !members.isEmpty()) || !left.isEmpty();
            members.addAll(left);
        } finally {
            // Whatever happens: else its ApplicationMaster would wait for ever.
            try {
                settle();
            } finally {
                lock.unlock();
            }
        }
    }

    /** A node will go: if the gang has an unfetched member there, it is broken from now on. */
    public void nodeGoes(NodeId node) {
        if (nodes.contains(node)) {
            lock.lock();
            try {
                broken = broken || nodes.contains(node);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Where it has members that are not fetched yet. */
    public Set<NodeId> nodes() {
        return Set.copyOf(nodes);
    }

    /** Whether members are to be taken back. */
    public boolean isBroken() {
        return broken;
    }

    /**
     * Begins to take back a broken gang: it is forming then.
     *
     * @return its unfetched members; empty where there is nothing to do or another thread does it
     */
    public Optional<List<RMContainer>> beginTakingBack() {
        lock.lock();
        try {
            if (forming || !broken) {
                return Optional.empty();
            }
            Optional<List<RMContainer>> all = Optional.of(List.copyOf(members));
            forming = true;
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** @param all false where some could not be taken back: the gang is still broken */
    public void takenBack(boolean all) {
        lock.lock();
        try {
            if (all) {
                members = new ArrayList<>();
                broken = false;
            }
            settle();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Answers the ApplicationMaster once the gang does not form.
     *
     * @param present whether the scheduler still has a member
     * @return empty where the gang is broken: it must be taken back first
     */
    public <T> Optional<T> answer(Predicate<RMContainer> present, Supplier<T> answer) {
        lock.lock();
        try {
            while (forming) {
                settled.awaitUninterruptibly();
            }
            if (broken || isPartLost(present)) {
                broken = true;
                return Optional.empty();
            }
            T given = answer.get();
            if (!members.isEmpty()) {
                // A member for which no token could be made stays, and comes with a later answer.
                members.removeIf(member -> member.getState() != RMContainerState.ALLOCATED);
                nodes = nodesOf(members);
            }
            return Optional.of(given);
        } finally {
            lock.unlock();
        }
    }

    /** Runs while the ApplicationMaster is not being answered; it may take the scheduler's lock. */
    public void betweenAnswers(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private boolean isPartLost(Predicate<RMContainer> present) {
        if (members.isEmpty()) {
            return false;
        }
        long left = members.stream().filter(present).count();
        if (left == 0) {
            // The attempt that should have fetched them has ended.
            members = new ArrayList<>();
            nodes = Set.of();
        }
        return left > 0 && left < members.size();
    }

    /** The job has ended: YARN has ended its containers too. */
    public void end() {
        lock.lock();
        try {
            members = new ArrayList<>();
            broken = false;
            nodes = Set.of();
        } finally {
            lock.unlock();
        }
    }

    /** Whether members are being committed or taken back, or the ApplicationMaster is being answered. */
    public boolean isBusy() {
        if (lock.isLocked()) {
            return true;
        }
        lock.lock();
        try {
            return forming;
        } finally {
            lock.unlock();
        }
    }

    private void settle() {
        forming = false;
        settled.signalAll();
        nodes = nodesOf(members);
    }

    private static Set<NodeId> nodesOf(Collection<RMContainer> members) {
        Set<NodeId> nodes = new HashSet<>();
        members.forEach(member -> nodes.add(member.getAllocatedNode()));
        return nodes;
    }
}
