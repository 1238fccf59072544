// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.cluster.Crossing;
import io.treadle.core.cluster.PowerView;
import io.treadle.core.plan.Decision;
import io.treadle.core.plan.TaskPlacement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Jobs come, run as long as they take and end; at every moment at which something came or went the policies decide:
 * first what ends is let go, then what comes is taken in.
 */
final class EventLoop {
    private record End(long atMs, long order, JobRun job, World world, int version) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return atMs == other.atMs ? Long.compare(order, other.order) : Long.compare(atMs, other.atMs);
        }
    }

    /** A job and where it belongs. */
    record Arrival(JobRun job, World world) {}

    /** Longer than any policy waits with a job while nothing runs. */
    private static final long PATIENCE_MS = 7 * 86_400_000L;

    private final List<World> worlds;
    private final List<Arrival> arrivals;
    private final Compat.Timing timing;
    private final Compat compat;
    private final String placement;
    private final Costs costs;
    /** Whether jobs that run are placed anew in each decision. */
    private final boolean anew;

    private final Recorder recorder;
    private final Optional<Budgeted> budget;
    private final Optional<NodeSleep> sleep;
    private final NodeEvents nodes;
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final Set<World> due = new LinkedHashSet<>();
    private int arrived;
    /** Those that came before have been looked at. */
    private int decidedUpTo;

    /** When nodes were last switched on or off. */
    private long settledMs;

    /** Since when nothing runs and nothing is to come. */
    private long idleSinceMs = Long.MAX_VALUE;

    private long ordered;
    /** 0 to decide whenever something comes or goes. */
    private final long decideEveryMs;

    /** @param arrivals in the order in which jobs come */
    EventLoop(
            List<World> worlds,
            List<Arrival> arrivals,
            NodeEvents nodes,
            SimulationOptions options,
            String policy,
            Recorder recorder,
            Optional<Budgeted> budget,
            Optional<NodeSleep> sleep) {
        this.nodes = nodes;
        this.worlds = worlds;
        this.arrivals = arrivals;
        this.compat = options.compat();
        this.timing = compat.timing(policy);
        this.placement = options.placement();
        this.costs = options.costs();
        this.anew = compat.discipline(policy, options.preempts()).preemption().isAnew();
        this.recorder = recorder;
        this.budget = budget;
        this.sleep = sleep;
        this.decideEveryMs = options.decideEveryMs();
    }

    void run() {
        for (long nowMs = next(); isToGoOn(nowMs); nowMs = next()) {
            recorder.at(nowMs);
            endAt(nowMs);
            nodes.at(nowMs);
            wake(nowMs);
            boolean came = arriveAt(nowMs);
            for (World world : worlds) {
                if (world.isDue(nowMs)) {
                    due.add(world);
                }
            }
            for (World world : isRound(nowMs) ? due : Set.<World>of()) {
                do {
                    tellPower(world, nowMs);
                    decide(world, nowMs, came);
                } while (world.session().wakesMs() <= nowMs);
            }
            settle(nowMs);
            due.clear();
            if (isRound(nowMs)) {
                leaveOut(decidedUpTo);
                decidedUpTo = arrived;
            }
            checkAlive(nowMs);
        }
    }

    /**
     * A policy that looks again and again at jobs for which there never is a place would do so for ever. Where power is
     * measured, {@link Deadlock} sees to it.
     */
    private boolean isToGoOn(long nowMs) {
        return nowMs != Long.MAX_VALUE
                && !recorder.isEnough()
                && (budget.isPresent() || nowMs - idleSinceMs <= PATIENCE_MS + 2 * decideEveryMs);
    }

    /** Nodes that have started take tasks again. */
    private void wake(long nowMs) {
        sleep.ifPresent(nodesOff -> nodesOff.started(nowMs).forEach(node -> tellOpen(node, true)));
    }

    private void settle(long nowMs) {
        sleep.ifPresent(nodesOff -> {
            long waiting = worlds.stream().mapToLong(World::waitingGpus).sum();
            nodesOff.settle(nowMs, waiting - recorder.freeGpus(nodesOff.off())).forEach(node -> tellOpen(node, false));
        });
        settledMs = nowMs;
    }

    private void tellOpen(String node, boolean isOpen) {
        worlds.stream().filter(world -> world.nodes().contains(node)).forEach(world -> world.nodeOpens(node, isOpen));
    }

    private void checkAlive(long nowMs) {
        boolean lives = arrived < arrivals.size()
                || !ends.isEmpty()
                || recorder.downNodes() > 0
                || sleep.map(NodeSleep::isStarting).orElse(false);
        idleSinceMs = lives ? Long.MAX_VALUE : Math.min(idleSinceMs, nowMs);
        budget.ifPresent(kept -> {
            if (lives) {
                kept.deadlock().lives();
            } else {
                kept.deadlock().idles(nowMs, arrivals, kept.at(nowMs, 1));
            }
        });
    }

    private void tellPower(World world, long nowMs) {
        budget.ifPresent(kept -> {
            PowerView power = kept.at(nowMs, world.partOfPeak());
            world.session()
                    .power(sleep.map(nodesOff -> power.withAsleep(nodesOff.asleep()))
                            .orElse(power));
        });
    }

    private long next() {
        long next =
                arrived < arrivals.size() ? arrivals.get(arrived).job().job().submitMs() : Long.MAX_VALUE;
        while (!ends.isEmpty() && ends.peek().version() != ends.peek().job().version()) {
            ends.remove();
        }
        if (!ends.isEmpty()) {
            next = Math.min(next, ends.peek().atMs());
        }
        for (World world : worlds) {
            next = Math.min(next, round(world.wakesMs()));
            // What came or went between two rounds waits for the next.
            if (decideEveryMs > 0 && world.hasChanged()) {
                next = Math.min(next, round(settledMs + 1));
            }
        }
        return nodes.nextMs(
                Math.min(next, sleep.map(off -> off.nextMs(settledMs)).orElse(Long.MAX_VALUE)));
    }

    private boolean isRound(long nowMs) {
        return decideEveryMs == 0 || nowMs % decideEveryMs == 0;
    }

    /** The first round that is not before; the same where there are no rounds. */
    private long round(long ms) {
        return decideEveryMs == 0 || ms == Long.MAX_VALUE
                ? ms
                : (ms + decideEveryMs - 1) / decideEveryMs * decideEveryMs;
    }

    private void endAt(long nowMs) {
        while (!ends.isEmpty() && ends.peek().atMs() <= nowMs) {
            End end = ends.remove();
            if (end.version() == end.job().version()) {
                end.job().end(nowMs);
                recorder.ended(end.job());
                end.world().ended(end.job());
            }
        }
    }

    private boolean arriveAt(long nowMs) {
        int before = arrived;
        while (arrived < arrivals.size() && arrivals.get(arrived).job().job().submitMs() <= nowMs) {
            Arrival arrival = arrivals.get(arrived++);
            recorder.came(arrival.job());
            arrival.world().waits(arrival.job());
        }
        return arrived > before;
    }

    /** A job that never ends and finds no room when it comes is left out: nothing will ever make room for it. */
    private void leaveOut(int first) {
        for (int i = first; i < arrived; i++) {
            Arrival arrival = arrivals.get(i);
            if (!arrival.job().job().work().ends() && !arrival.job().isRunning()) {
                arrival.world().leaveOut(arrival.job());
                recorder.leftOut(arrival.job());
            }
        }
    }

    private void goesOn(JobRun job, World world, long nowMs) {
        world.session().runs(job.runningView());
        if (job.job().work().ends()) {
            ends.add(new End(nowMs + job.leftMs() + timing.lateEndMs(), ordered++, job, world, job.version()));
        }
    }

    private double speed(JobRun job, World world, List<TaskPlacement> tasks) {
        double speed = job.speedup(tasks, world::node);
        Crossing crossing = costs.crossing();
        return crossing.isNone() ? speed : speed / crossing.times(world.racks(tasks), World.nodes(tasks));
    }

    private void pause(JobRun job, World world, long nowMs) {
        recorder.returned(job);
        job.pause(nowMs, compat.startSeconds(job.job()));
        world.session().waits(job.view());
    }

    private void decide(World world, long nowMs, boolean came) {
        world.decided();
        List<JobRun> before = anew ? world.running() : List.of();
        before.forEach(job -> pause(job, world, nowMs));
        List<JobRun> stopped = new ArrayList<>();
        for (Decision decision : world.session().decide(nowMs)) {
            JobRun job = world.job(decision.jobId());
            if (decision instanceof Decision.Stop) {
                recorder.stopped(job);
                compat.stop(job, nowMs);
                stopped.add(job);
            } else if (decision instanceof Decision.Run run) {
                if (!job.isStarted()) {
                    job.doMore(compat.spreadSeconds(job.job(), placement, world.racks(run.tasks())));
                }
                job.start(nowMs, run.tasks(), speed(job, world, run.tasks()));
                recorder.started(job);
                goesOn(job, world, nowMs);
            } else if (decision instanceof Decision.Move move) {
                List<TaskPlacement> from = job.placements();
                double speed = speed(job, world, move.tasks());
                job.move(nowMs, move.tasks(), speed, compat.migrationSeconds(costs));
                recorder.moved(job, from);
                goesOn(job, world, nowMs);
            } else if (decision instanceof Decision.Resize resize) {
                List<TaskPlacement> tasks = job.resized(resize.sizes());
                job.resize(nowMs, tasks, speed(job, world, tasks));
                recorder.resized(job);
                goesOn(job, world, nowMs);
            }
        }
        stopped.forEach(job -> world.session().waits(job.view()));
        before.stream().filter(job -> !job.isRunning()).forEach(JobRun::madeWay);
        if (timing.tickMs() > 0 && (came || !stopped.isEmpty())) {
            world.wakeAt(nowMs + timing.tickMs());
        }
    }
}
