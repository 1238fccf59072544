// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.placement.Consolidate;
import io.treadle.core.placement.Placement;
import io.treadle.core.placement.RackBestFit;
import io.treadle.core.placement.RackFirstFit;
import io.treadle.core.policy.Discipline;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.Preemption;
import io.treadle.core.policy.allocation.Allocation;
import io.treadle.core.policy.allocation.SynergyOpt;
import io.treadle.core.policy.order.Ftf;
import io.treadle.core.policy.order.Order;
import io.treadle.core.policy.order.Qssf;
import io.treadle.core.policy.order.Srtf;
import io.treadle.core.policy.order.Tetris;
import io.treadle.core.policy.order.TiesInQueue;
import io.treadle.core.policy.order.TwoDimensionalLas;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Training;
import io.treadle.simulator.trace.Work;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The ways in which published simulators differ from ours, each set as a whole. */
public enum Compat {
    /** None: as the cluster does it. */
    NONE {
        @Override
        Discipline discipline(String policy, boolean preempts) {
            return new Discipline(false, preempts ? Preemption.BY_GPUS : Preemption.OFF);
        }
    },
    /**
     * HeliosArtifact (S-Lab-System-Group bdaae10): time in whole seconds, the first job that does not fit holds up the
     * rest, srtf preempts at a cost and ends a second late, qssf foretells a job's time only from the second after it
     * came, what is left of a job beyond whole nodes goes to the freest node.
     */
    HELIOS {
        @Override
        Discipline discipline(String policy, boolean preempts) {
            return policy.startsWith("srtf")
                    ? new Discipline(false, Preemption.BY_GPUS)
                    : new Discipline(true, Preemption.OFF);
        }

        @Override
        List<Order> orders(String policy, PolicyRegistry known) {
            return replaced(known, new Qssf(true)).stream()
                    .map(order -> order.name().equals("qssf") ? order : new TiesInQueue(order))
                    .toList();
        }

        @Override
        Placement placement(String name, PolicyRegistry known) {
            return name.equals("consolidate") ? new Consolidate(true) : super.placement(name, known);
        }

        @Override
        Timing timing(String policy) {
            return new Timing(1000, policy.startsWith("srtf") ? 1000 : 0);
        }

        @Override
        void stop(JobRun job, long nowMs) {
            job.stop(nowMs, job.gpus() == 1 ? 7 : job.gpus() <= 8 ? 30 : 60);
        }
    },
    /**
     * Synergy's artifact (msr-fiddle/synergy 1bb2bed): rounds of five minutes in which every job is placed anew at no
     * cost, iterations in whole numbers a round, ends at the end of a round, srtf and tetris by the speed of the round
     * before; las chooses by GPUs alone who may run; who waits a thousand hours goes first, but under fifo.
     */
    SYNERGY {
        @Override
        Discipline discipline(String policy, boolean preempts) {
            Preemption chosen =
                    policy.endsWith("+synergy-tune") ? Preemption.ANEW_WIDEST_FIRST : Preemption.ANEW_BY_GPUS;
            return new Discipline(false, policy.startsWith("las") ? chosen : Preemption.ANEW);
        }

        @Override
        List<Order> orders(String policy, PolicyRegistry known) {
            boolean atLastSpeed = !policy.endsWith("proportional") && policy.contains("+");
            return replaced(known, new Srtf(atLastSpeed), new Tetris(atLastSpeed), new Ftf(true));
        }

        @Override
        List<Allocation> allocations(PolicyRegistry known) {
            return known.allocations().stream()
                    .map(one -> one.name().equals("synergy-opt") ? new SynergyOpt(true) : one)
                    .toList();
        }

        @Override
        public String defaultPlacement() {
            return "first-fit";
        }

        @Override
        TraceJob job(TraceJob job, String placement, SimCluster cluster) {
            return SynergyJobs.of(job, cluster);
        }

        @Override
        long starvedAfterMs(String policy) {
            return policy.startsWith("fifo") ? Long.MAX_VALUE : 3_600_000_000L;
        }

        @Override
        public boolean leases() {
            return true;
        }
    },
    /**
     * AnalySIM's public predecessor (nexuslrf/DL_cluster_simulator 2924cb9): whole seconds, rounded down; a job has as
     * many GPUs on each of its nodes, and 4 CPUs there; placement by leaf switch; {@code 2d-las} in turns, each of which
     * costs 8 s at its end; {@code free-gpu} over more than one switch costs a fifth of the run time.
     */
    ANALYSIM {
        @Override
        Discipline discipline(String policy, boolean preempts) {
            return new Discipline(false, isLas(policy) ? Preemption.TURNS : Preemption.OFF);
        }

        @Override
        List<Order> orders(String policy, PolicyRegistry known) {
            return replaced(known, new TwoDimensionalLas(true)).stream()
                    .<Order>map(TiesInQueue::new)
                    .toList();
        }

        @Override
        Placement placement(String name, PolicyRegistry known) {
            return switch (name) {
                case "first-fit" -> new RackFirstFit();
                case "best-fit" -> new RackBestFit();
                default -> super.placement(name, known);
            };
        }

        @Override
        public String defaultPlacement() {
            return "first-fit";
        }

        @Override
        void stop(JobRun job, long nowMs) {
            job.stop(nowMs, 8);
        }

        @Override
        double migrationSeconds(Costs costs) {
            return 8;
        }

        @Override
        TraceJob job(TraceJob job, String placement, SimCluster cluster) {
            return AnalysimJobs.of(job, isFreeGpu(placement));
        }

        @Override
        double spreadSeconds(TraceJob job, String placement, long racks) {
            return isFreeGpu(placement) && racks > 1
                    ? Math.floor(0.2 * job.work().seconds())
                    : 0;
        }

        private static boolean isLas(String policy) {
            return policy.startsWith("2d-las");
        }

        private static boolean isFreeGpu(String placement) {
            return placement.equals("free-gpu");
        }
    },
    /**
     * Muri's simulator (Rivendile/Muri 7264b1a): whenever a job comes or ends, {@code srtf} and {@code srsf} place all
     * jobs anew, and each that ran has lost the time that its model takes to start, even where it stays; what counts
     * is the iterations, not the run time, and they take 1.5 % longer than in the trace.
     */
    MURI {
        @Override
        Discipline discipline(String policy, boolean preempts) {
            return new Discipline(
                    false, policy.startsWith("srtf") || policy.startsWith("srsf") ? Preemption.ANEW : Preemption.OFF);
        }

        @Override
        List<Order> orders(String policy, PolicyRegistry known) {
            return replaced(known).stream().<Order>map(TiesInQueue::new).toList();
        }

        @Override
        public String defaultPlacement() {
            return "first-fit";
        }

        @Override
        TraceJob job(TraceJob job, String placement, SimCluster cluster) {
            Work work = job.training().map(Training::work).filter(Work::ends).orElse(job.work());
            return job.withWork(new Work(work.samples(), 1.015 * work.secondsPerSample()));
        }

        @Override
        double startSeconds(TraceJob job) {
            return MuriStarts.seconds(job.training().map(Training::model).orElse(""), job.gpus());
        }
    };

    /** A job of the trace as the published simulator takes it in. */
    TraceJob job(TraceJob job, String placement, SimCluster cluster) {
        return job;
    }

    /** A job of the trace as it takes part: published simulators know no priorities and no elastic jobs. */
    final TraceJob taken(TraceJob job, String placement, SimCluster cluster) {
        if (this == NONE) {
            return job;
        }
        TraceJob taken = job(job.rigid(), placement, cluster);
        return job.attributes().priority() == 0
                ? taken
                : taken.with(taken.attributes().withPriority(0));
    }

    /** Seconds that a job does nothing in after each decision, where all are placed anew whenever one comes or ends. */
    double startSeconds(TraceJob job) {
        return 0;
    }

    /** Seconds of work that a job has to do in addition because it first starts on so many racks. */
    double spreadSeconds(TraceJob job, String placement, long racks) {
        return 0;
    }

    /**
     * @param tickMs after how long a decision that stopped a job, or saw a new one, is looked at again; 0 for never
     * @param lateEndMs how long a job holds its GPUs after it has done all
     */
    record Timing(long tickMs, long lateEndMs) {}

    /** @param preempts whether {@code --preemption on} was asked for */
    abstract Discipline discipline(String policy, boolean preempts);

    List<Order> orders(String policy, PolicyRegistry known) {
        return known.orders();
    }

    List<Allocation> allocations(PolicyRegistry known) {
        return known.allocations();
    }

    Placement placement(String name, PolicyRegistry known) {
        return known.placement(name);
    }

    Timing timing(String policy) {
        return new Timing(0, 0);
    }

    /** Stops a job at the cost that there is in it. */
    void stop(JobRun job, long nowMs) {
        job.stop(nowMs);
    }

    /** Seconds that a job loses when it moves. */
    double migrationSeconds(Costs costs) {
        return costs.migrationSeconds();
    }

    /** Whether it knows jobs that move. */
    boolean migrates() {
        return this == NONE || this == ANALYSIM;
    }

    /** After how long without a break a job that waits goes before all others, ms. */
    long starvedAfterMs(String policy) {
        return Long.MAX_VALUE;
    }

    public String defaultPlacement() {
        return PolicyRegistry.DEFAULT_PLACEMENT;
    }

    /** Whether jobs run in leases of one round. */
    public boolean leases() {
        return false;
    }

    private static List<Order> replaced(PolicyRegistry known, Order... own) {
        return known.orders().stream()
                .map(order -> Arrays.stream(own)
                        .filter(other -> other.name().equals(order.name()))
                        .findFirst()
                        .orElse(order))
                .toList();
    }

    /** @throws InputException if there is none of this name */
    public static Compat of(String name) {
        return Arrays.stream(values())
                .filter(c -> c != NONE && c.text().equals(name))
                .findFirst()
                .orElseThrow(() -> new InputException("--compat is '" + name + "', must be one of "
                        + Arrays.stream(values())
                                .filter(c -> c != NONE)
                                .map(Compat::text)
                                .collect(Collectors.joining(", "))
                        + "."));
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
