// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import io.treadle.am.query.master.UnfitWorkerException;
import io.treadle.am.service.FleetMember.State;
import io.treadle.am.yarn.ContainerEvents;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.am.yarn.LostContainer;
import io.treadle.am.yarn.NmGateway;
import io.treadle.am.yarn.RmGateway;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a service: as many containers as are wanted, another for each that is lost, and none taken from a query that
 * it works on, as long as that is for the service to say.
 */
final class Fleet implements ContainerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
    /** Workers in a row that cannot load a model: then it is the model. */
    private static final int UNFIT = 2;
    /** All workers are of one size. */
    private static final int SIZE = 0;

    private final FleetSettings settings;
    private final RmGateway rm;
    private final NmGateway nm;
    private final Linker linker;
    private final Executor connecting;
    private final LongSupplier clockMs;
    private final Map<String, FleetMember> members = new LinkedHashMap<>();
    private int wanted;
    private int asked;
    /** Until when none is asked for in place of each that YARN has taken. */
    private final Deque<Long> heldBackMs = new ArrayDeque<>();

    private int failuresInARow;
    private int unfitInARow;
    private Optional<String> failure = Optional.empty();

    /**
     * @param connecting runs what may take long, each on a thread of its own
     * @param clockMs never goes back
     */
    Fleet(
            FleetSettings settings,
            RmGateway rm,
            NmGateway nm,
            Linker linker,
            Executor connecting,
            LongSupplier clockMs) {
        this.settings = settings;
        this.rm = rm;
        this.nm = nm;
        this.linker = linker;
        this.connecting = connecting;
        this.clockMs = clockMs;
    }

    /**
     * @param count how many workers there are to be
     * @param inherited containers of an earlier ApplicationMaster
     * @param saved what that one knew of them: a worker whose address it did not know cannot be found, and does not know the
     *     new one's
     */
    synchronized void start(int count, List<GrantedContainer> inherited, List<SavedWorker> saved) {
        wanted = clipped(count);
        for (GrantedContainer container : inherited) {
            Optional<SavedWorker> known = saved.stream()
                    .filter(worker -> worker.containerId().equals(container.id())
                            && !worker.host().isEmpty())
                    .findFirst();
            if (known.isEmpty()) {
                LOG.info("container {} of an earlier attempt cannot be found, released", container.id());
                rm.release(container.id());
                continue;
            }
            FleetMember member = new FleetMember(container, clockMs.getAsLong());
            members.put(container.id(), member);
            member.listensAt(known.get().host(), known.get().port(), clockMs.getAsLong());
        }
        balance();
    }

    private int clipped(int count) {
        return Math.max(settings.min(), Math.min(settings.max(), count));
    }

    /** How many workers there are to be from now on, within what the service may have. */
    synchronized void want(int count) {
        wanted = clipped(count);
        balance();
    }

    synchronized int wanted() {
        return wanted;
    }

    /** How many are connected and stay. */
    synchronized int ready() {
        return count(State.READY);
    }

    private int count(State state) {
        return (int) members.values().stream()
                .filter(member -> member.state() == state)
                .count();
    }

    /** Why there is no hope for the service; empty while there is. */
    synchronized Optional<String> failure() {
        return failure;
    }

    /** All of its containers, in the order in which they came. */
    synchronized List<MemberView> members() {
        return members.values().stream().map(FleetMember::view).toList();
    }

    synchronized List<SavedWorker> saved() {
        return members.values().stream().map(FleetMember::saved).toList();
    }

    /** Asks for what is missing; gives back what is too much, first what nobody has yet. */
    private void balance() {
        while (!heldBackMs.isEmpty() && clockMs.getAsLong() >= heldBackMs.getFirst()) {
            heldBackMs.removeFirst();
        }
        int staying = members.size() - count(State.LEAVING);
        int missing = wanted - staying - asked;
        if (missing > 0) {
            // Somebody else is entitled to it, who may wait for several at once: what is asked for at once takes it
            // first.
            missing = Math.max(missing - heldBackMs.size(), staying + asked == 0 ? 1 : 0);
        }
        if (missing > 0) {
            rm.ask(SIZE, missing);
            asked += missing;
        } else if (missing < 0 && asked > 0) {
            // Asks can only be taken back all at once.
            rm.askNoMore();
            asked = Math.max(0, asked + missing);
            if (asked > 0) {
                rm.ask(SIZE, asked);
            }
        }
        for (int tooMany = staying + asked - wanted; tooMany > 0; tooMany--) {
            leave(leastUseful());
        }
    }

    /** The last that came of those that have come least far: it has the fewest models. */
    private FleetMember leastUseful() {
        List<FleetMember> lastFirst = new ArrayList<>(members.values());
        Collections.reverse(lastFirst);
        return lastFirst.stream()
                .filter(member -> member.state() != State.LEAVING)
                .min(Comparator.comparing(FleetMember::state))
                .orElseThrow();
    }

    /** One that never worked ends at once. */
    private void leave(FleetMember member) {
        if (member.link().isEmpty()) {
            giveBack(member);
        } else {
            member.leaves(clockMs.getAsLong());
        }
    }

    private void giveBack(FleetMember member) {
        members.remove(member.id());
        member.link().ifPresent(Link::close);
        rm.release(member.id());
    }

    @Override
    public synchronized void onGranted(List<GrantedContainer> containers) {
        for (GrantedContainer container : containers) {
            if (asked == 0) {
                LOG.info("container {} is not needed, released", container.id());
                rm.release(container.id());
                continue;
            }
            asked--;
            members.put(container.id(), new FleetMember(container, clockMs.getAsLong()));
            nm.start(container);
        }
        balance();
    }

    synchronized void onStartFailed(String containerId, String cause) {
        FleetMember member = members.get(containerId);
        if (member != null) {
            giveBack(member);
            failed(LostContainer.notStarted(containerId, false, cause).describe());
            balance();
        }
    }

    @Override
    public synchronized void onLost(List<LostContainer> containers) {
        for (LostContainer container : containers) {
            FleetMember member = members.remove(container.id());
            if (member == null) {
                continue;
            }
            LOG.warn("{}", container.describe());
            member.link().ifPresent(Link::close);
            if (member.state() == State.LEAVING) {
                continue;
            }
            if (container.exitStatus() == ContainerExitStatus.PREEMPTED) {
                holdBack();
            } else if (!container.blameless()) {
                failed(container.describe());
            }
        }
        balance();
    }

    private void holdBack() {
        heldBackMs.addLast(clockMs.getAsLong() + settings.backOffMs());
    }

    /** For people, why YARN refuses the workers that are asked for; empty while it does not. */
    Optional<String> refusal() {
        return rm.refusal();
    }

    /** In place of how many that YARN has taken none is asked for yet. */
    synchronized int heldBack() {
        return heldBackMs.size();
    }

    private void failed(String why) {
        failuresInARow++;
        // Where one works the service works: then the others are tried again and again.
        if (failuresInARow >= Math.max(settings.failures(), 2 * wanted)
                && count(State.READY) == 0
                && failure.isEmpty()) {
            failure = Optional.of(failuresInARow + " workers in a row have failed, the last: " + why);
        }
    }

    /**
     * A worker says where it listens.
     *
     * @return whether it is one of the service's; if not, it is to end
     */
    synchronized boolean registered(String containerId, String host, int port) {
        FleetMember member = members.get(containerId);
        if (member == null) {
            return false;
        }
        if (member.state() == State.STARTING || member.state() == State.APART) {
            member.listensAt(host, port, clockMs.getAsLong());
        }
        return true;
    }

    /** Time goes by: call it often. */
    void tick() {
        for (FleetMember member : List.copyOf(look())) {
            connecting.execute(() -> reach(member));
        }
    }

    /** @return those that are to be connected */
    private synchronized List<FleetMember> look() {
        long nowMs = clockMs.getAsLong();
        List<FleetMember> apart = new ArrayList<>();
        for (FleetMember member : List.copyOf(members.values())) {
            switch (member.state()) {
                case STARTING -> {
                    if (member.forMs(nowMs) >= settings.registerMs()) {
                        giveBack(member);
                        failed("the worker in " + member.id() + " has not registered within "
                                + settings.registerMs() / 1000 + " s");
                    }
                }
                case APART -> {
                    if (member.isBeingReached()) {
                        continue;
                    }
                    if (member.wasNotReached() && member.forMs(nowMs) >= settings.reconnectMs()) {
                        giveBack(member);
                        failed("the worker in " + member.id() + " at " + member.host() + ":" + member.port()
                                + " could not be reached for " + settings.reconnectMs() / 1000 + " s");
                    } else {
                        member.beingReached(true);
                        apart.add(member);
                    }
                }
                case READY -> {
                    if (!member.link().orElseThrow().isConnected()) {
                        member.disconnected(nowMs);
                    } else if (!member.link().orElseThrow().isFit()) {
                        giveBack(member);
                        failed("the worker in " + member.id() + " cannot load its models any more");
                    } else if (member.forMs(nowMs) >= settings.reconnectMs()) {
                        // One that dies of its first task does not count as one that works.
                        failuresInARow = 0;
                    }
                }
                case LEAVING -> {
                    Link link = member.link().orElseThrow();
                    // One that leaves is better than none.
                    boolean isDone = link.isIdle() && (count(State.READY) > 0 || wanted == 0);
                    if (!link.isConnected() || isDone || member.forMs(nowMs) >= settings.drainMs()) {
                        giveBack(member);
                    }
                }
            }
        }
        balance();
        return apart;
    }

    /** Without the lock: a host that is gone does not answer for seconds. */
    private void reach(FleetMember member) {
        String host;
        int port;
        synchronized (this) {
            host = member.host();
            port = member.port();
        }
        Optional<Link> link = Optional.empty();
        try {
            link = Optional.of(linker.connect(host, port));
        } catch (UnfitWorkerException e) {
            unfit(member, String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            LOG.info("the worker in {} at {}:{} cannot be reached: {}", member.id(), host, port, e.toString());
            if (e instanceof IllegalArgumentException) {
                hopeless(String.valueOf(e.getMessage()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            settle(member, link);
        }
    }

    private synchronized void hopeless(String why) {
        if (failure.isEmpty()) {
            failure = Optional.of(why);
        }
    }

    /** Two that say so are right. */
    private synchronized void unfit(FleetMember member, String why) {
        LOG.warn("the worker in {} cannot do its work: {}", member.id(), why);
        unfitInARow++;
        if (members.get(member.id()) == member) {
            giveBack(member);
            failed(why);
            if (unfitInARow >= UNFIT) {
                hopeless(why);
            }
            balance();
        }
    }

    private synchronized void settle(FleetMember member, Optional<Link> link) {
        member.beingReached(false);
        if (link.isEmpty()) {
            member.notReached();
            return;
        }
        unfitInARow = 0;
        if (members.get(member.id()) != member || member.state() != State.APART) {
            // It was given back meanwhile.
            link.get().close();
            return;
        }
        member.connected(link.get(), clockMs.getAsLong());
    }

    /** They go once they have worked off what they have; others are asked for. */
    @Override
    public synchronized void onPreemptionMessage(Set<String> containerIds) {
        for (String id : containerIds) {
            FleetMember member = members.get(id);
            if (member != null && member.state() != State.LEAVING) {
                LOG.info("container {} is wanted back", id);
                leave(member);
                holdBack();
            }
        }
        balance();
    }

    @Override
    public void onResized(String containerId, long vcores, long memoryMiB, int version) {
        // Workers keep their size.
    }

    @Override
    public synchronized boolean owns(String containerId) {
        return members.containsKey(containerId);
    }

    /** A service has no end to get nearer to. */
    @Override
    public float progress() {
        return 0;
    }
}
