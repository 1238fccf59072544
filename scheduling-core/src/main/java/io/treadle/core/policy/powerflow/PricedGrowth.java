// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import io.treadle.core.model.energy.EnergyProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * {@code powerflow}: one price on energy, in seconds of completion time for a joule, for all jobs, their GPUs and their caps.
 * At each size a job takes the cap at which time and priced energy of an iteration are least together; all start at their
 * least size, then whoever gains most speed for each further GPU grows. The price is the budget's, or as much higher as it
 * takes to keep below the limit on power. (A limit alone throttles jobs when there is most to do; with a price energy is
 * saved wherever it costs least time, docs/adr/0017.)
 */
final class PricedGrowth implements Chooser {
    /** A price at which hardly anything but energy counts, s/J. */
    private static final double MOST_SECONDS_PER_JOULE = 1;
    /** Below it energy hardly counts, s/J; the search for a higher price starts here. */
    private static final double LEAST_SECONDS_PER_JOULE = 1e-6;

    private static final int SEARCH_STEPS = 14;
    /** How much more than its own time a change of GPUs must bring: the next one may take it back before it has paid off. */
    private static final double RESTARTS = 4;

    @Override
    public boolean scales() {
        return true;
    }

    @Override
    public List<Choice> choose(Situation situation) {
        // One that alone is over the limit at any cap keeps no GPUs from others.
        List<Candidate> ordered =
                StartOrder.of(situation).stream().filter(situation::couldRun).toList();
        double price = situation.power().secondsPerJoule();
        List<Choice> chosen = at(price, situation, ordered);
        if (keeps(situation, chosen)) {
            return chosen;
        }
        double low = Math.log(Math.max(price, LEAST_SECONDS_PER_JOULE));
        double high = Math.log(MOST_SECONDS_PER_JOULE);
        chosen = at(MOST_SECONDS_PER_JOULE, situation, ordered);
        for (int i = 0; i < SEARCH_STEPS && keeps(situation, chosen); i++) {
            double middle = (low + high) / 2;
            List<Choice> tried = at(Math.exp(middle), situation, ordered);
            if (keeps(situation, tried)) {
                chosen = tried;
                high = middle;
            } else {
                low = middle;
            }
        }
        return within(situation, chosen);
    }

    private static boolean keeps(Situation situation, List<Choice> chosen) {
        return situation.allows(chosen)
                && (Double.isInfinite(situation.power().joulesLeft())
                        || situation.joules(chosen) <= situation.power().joulesLeft());
    }

    /** Those that keep to the limits, the first in order first, under a lower cap where it takes that. */
    private static List<Choice> within(Situation situation, List<Choice> chosen) {
        // What the jobs of a queue may draw can be less than any of them does at the size that suits all nodes.
        boolean mayShrink = Double.isFinite(situation.power().jobsLimitWatts());
        List<Choice> kept = new ArrayList<>();
        Allowance left = new Allowance(situation);
        for (Choice choice : chosen) {
            fitting(choice, mayShrink ? choice.job().least() : choice.size(), left)
                    .ifPresent(fits -> {
                        kept.add(fits);
                        left.take(fits);
                    });
        }
        return kept;
    }

    private static Optional<Choice> fitting(Choice choice, int least, Allowance left) {
        for (int size = choice.size(); size >= least; size--) {
            for (int cap = choice.cap(); cap >= 0; cap--) {
                Choice capped = new Choice(choice.job(), size, cap);
                if (left.allows(capped)) {
                    return Optional.of(capped);
                }
            }
        }
        return Optional.empty();
    }

    private static List<Choice> at(double price, Situation situation, List<Candidate> ordered) {
        Map<EnergyProfile, Priced> known = new HashMap<>();
        List<Choice> started = new ArrayList<>();
        for (Candidate job : StartOrder.atLeast(ordered, situation.gpus())) {
            Priced priced = known.computeIfAbsent(job.energy(), energy -> new Priced(energy, price, situation));
            started.add(new Choice(job, job.least(), priced.cap(job.least())));
        }
        double restart = RESTARTS
                * situation.rescaleSeconds()
                * (1 + price * situation.power().idleGpuWatts());
        return Growth.grow(
                started,
                situation.gpus(),
                Optional.empty(),
                now -> next(now, Objects.requireNonNull(known.get(now.job().energy())), restart));
    }

    /** Larger sizes by what they bring for each further GPU. */
    private static List<Growth.Step> next(Choice now, Priced priced, double restart) {
        Candidate job = now.job();
        double seconds = priced.seconds(now.size());
        List<Growth.Step> steps = new ArrayList<>();
        for (int size = now.size() + 1; size <= job.most(); size++) {
            double gain = priced.cost(now.size()) - priced.cost(size) + stays(job, now.size(), size, restart);
            if (gain > 0) {
                // In its speed at its least size, so that the steps of different jobs compare.
                double worth = gain / seconds * (job.energy().seconds(job.least(), now.cap()) / seconds);
                steps.add(new Growth.Step(
                        new Choice(job, size, priced.cap(size)), worth / (job.gpus(size) - now.gpus())));
            }
        }
        return steps;
    }

    /** What it brings, for each iteration, that the job then keeps what it has; below 0 where it gives that up, s. */
    private static double stays(Candidate job, int from, int to, double restart) {
        int kept = (to == job.held() ? 1 : 0) - (from == job.held() ? 1 : 0);
        double iterations = job.secondsLeft()
                / job.energy().seconds(job.least(), job.energy().caps() - 1);
        return kept == 0 || job.held() == Candidate.NONE ? 0 : kept * restart / iterations;
    }

    /** The best caps at one price, and what an iteration costs with them. */
    private static final class Priced {
        private final EnergyProfile energy;
        private final int[] caps;
        private final double[] costs;

        Priced(EnergyProfile energy, double price, Situation situation) {
            this.energy = energy;
            caps = new int[energy.sizes()];
            costs = new double[energy.sizes()];
            for (int size = 0; size < caps.length; size++) {
                costs[size] = Double.POSITIVE_INFINITY;
                for (int cap = 0; cap < energy.caps(); cap++) {
                    double watts = energy.watts(size, cap) + energy.gpus(size) * situation.nodeShareWatts();
                    double cost = energy.seconds(size, cap) * (1 + price * watts);
                    if (cost <= costs[size]) {
                        costs[size] = cost;
                        caps[size] = cap;
                    }
                }
            }
        }

        int cap(int size) {
            return caps[size];
        }

        /** Time and priced energy of an iteration, s. */
        double cost(int size) {
            return costs[size];
        }

        double seconds(int size) {
            return energy.seconds(size, caps[size]);
        }
    }
}
