// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.placement.Consolidate;
import io.treadle.core.placement.Placement;
import io.treadle.core.policy.Discipline;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.policy.Preemption;
import io.treadle.core.policy.order.Ftf;
import io.treadle.core.policy.order.Order;
import io.treadle.core.policy.order.Qssf;
import io.treadle.core.policy.order.Srtf;
import io.treadle.core.policy.order.TiesInQueue;
import io.treadle.simulator.input.InputException;
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
        List<Order> orders(String policy) {
            return replaced(new Qssf(true)).stream()
                    .map(order -> order.name().equals("qssf") ? order : new TiesInQueue(order))
                    .toList();
        }

        @Override
        Placement placement(String name) {
            return name.equals("consolidate") ? new Consolidate(true) : super.placement(name);
        }

        @Override
        Timing timing(String policy) {
            return new Timing(1000, policy.startsWith("srtf") ? 1000 : 0);
        }

        @Override
        double restartSeconds(long gpus) {
            return gpus == 1 ? 7 : gpus <= 8 ? 30 : 60;
        }
    },
    /**
     * Synergy's artifact (msr-fiddle/synergy 1bb2bed): rounds of five minutes in which every job is placed anew at no
     * cost, iterations in whole numbers a round, ends at the end of a round, srtf by the speed of the round before.
     */
    SYNERGY {
        @Override
        Discipline discipline(String policy, boolean preempts) {
            return new Discipline(false, Preemption.ANEW);
        }

        @Override
        List<Order> orders(String policy) {
            Order srtf = new Srtf(!policy.endsWith("proportional") && policy.contains("+"));
            return replaced(srtf, new Ftf(true));
        }

        @Override
        public String defaultPlacement() {
            return "first-fit";
        }

        @Override
        public boolean leases() {
            return true;
        }
    };

    /**
     * @param tickMs after how long a decision that stopped a job, or saw a new one, is looked at again; 0 for never
     * @param lateEndMs how long a job holds its GPUs after it has done all
     */
    record Timing(long tickMs, long lateEndMs) {}

    /** @param preempts whether {@code --preemption on} was asked for */
    abstract Discipline discipline(String policy, boolean preempts);

    List<Order> orders(String policy) {
        return PolicyRegistry.orders();
    }

    Placement placement(String name) {
        return PolicyRegistry.placement(name);
    }

    Timing timing(String policy) {
        return new Timing(0, 0);
    }

    /** Seconds that a job loses when it is stopped. */
    double restartSeconds(long gpus) {
        return 0;
    }

    public String defaultPlacement() {
        return PolicyRegistry.DEFAULT_PLACEMENT;
    }

    /** Whether jobs run in leases of one round. */
    public boolean leases() {
        return false;
    }

    private static List<Order> replaced(Order... own) {
        return PolicyRegistry.orders().stream()
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
