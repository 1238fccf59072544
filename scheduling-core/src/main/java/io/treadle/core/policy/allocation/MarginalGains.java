// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Hands out what the nodes have left of CPU, memory and storage bandwidth: again and again the step that makes some job
 * faster by most for what it takes, until no step fits. Points between those that were measured count, so nothing stays
 * idle that a job could use. A job keeps what it has unless another gains {@link #HYSTERESIS} more from it: sizes are not
 * to flap.
 *
 * <p>Greedy for the multiple-choice knapsack (Sinha and Zoltners, Operations Research 27(3), 1979, for one resource). Here
 * are several: the price of each is a share of its node, and of a few ratios of prices the one is taken that makes the
 * rivals for a node fastest.
 */
final class MarginalGains {
    /** By how much more another must gain to take what a job has. */
    static final double HYSTERESIS = .1;
    /** Of memory and storage bandwidth beside CPU, all as shares of a node. */
    private static final double[] PRICES = {1, .3, .05};

    private final Leftovers left;
    private final List<SpeedUp> jobs;

    private record Offer(SpeedUp job, int place, double worth) {
        private static final Comparator<Offer> BEST_FIRST =
                Comparator.comparingDouble(Offer::worth).reversed().thenComparingInt(Offer::place);
    }

    private final GainRules rules;

    private MarginalGains(Round round, GainRules rules) {
        this.rules = rules;
        left = new Leftovers(round.ledger());
        jobs = new ArrayList<>();
        for (Grant grant : round.grants()) {
            if (grant.level() == Grant.Level.SHARE) {
                SpeedUp.of(round, grant, rules).ifPresent(jobs::add);
            }
        }
    }

    /** Raises jobs that were granted their least sizes. */
    static void handOut(Round round, GainRules rules) {
        MarginalGains gains = new MarginalGains(round, rules);
        Rivals.of(gains.withoutThoseThatCanHaveAll()).forEach(gains::choose);
        gains.jobs.forEach(job -> job.grant(round));
    }

    /** Gives jobs all that they can use where everyone can have that; most nodes are such. */
    private List<SpeedUp> withoutThoseThatCanHaveAll() {
        jobs.forEach(job -> left.take(job.spread(), job.toDemand()));
        List<SpeedUp> contending = new ArrayList<>();
        for (SpeedUp job : jobs) {
            if (left.isOverdrawn(job.spread())) {
                contending.add(job);
            } else {
                job.takeDemand();
            }
        }
        contending.forEach(job -> left.giveBack(job.spread(), job.toDemand()));
        return contending;
    }

    /** @param rivals jobs of which each shares nodes with others of them, and with no other that may still grow */
    private void choose(List<SpeedUp> rivals) {
        if (!rules.has(Part.MARGINAL_GAINS)) {
            rivals.forEach(this::allOrNothing);
            return;
        }
        Optional<Weighting> optimum = rules.optimum();
        if (optimum.isPresent() && NodeOptimum.take(left, rivals, optimum.get())) {
            if (optimum.get().everyVcore()) {
                rivals.forEach(job -> job.price(PRICES[0]));
                step(rivals);
            }
            return;
        }
        double most = -1;
        double best = PRICES[0];
        for (double price : PRICES) {
            double gained = take(rivals, price);
            if (gained > most) {
                most = gained;
                best = price;
            }
            rivals.forEach(job -> left.giveBack(job.spread(), job.taken()));
        }
        take(rivals, best);
    }

    private void allOrNothing(SpeedUp job) {
        if (job.toDemand().fitsIn(left.room(job.spread()))) {
            left.take(job.spread(), job.toDemand());
            job.takeDemand();
        }
    }

    /** @return what all jobs together gain, in GPUs at the speed of their share */
    private double take(List<SpeedUp> rivals, double price) {
        rivals.forEach(job -> job.begin(price));
        return step(rivals);
    }

    private double step(List<SpeedUp> rivals) {
        PriorityQueue<Offer> offers = new PriorityQueue<>(Offer.BEST_FIRST);
        for (int i = 0; i < rivals.size(); i++) {
            offer(offers, rivals.get(i), i);
        }
        double gained = 0;
        while (!offers.isEmpty()) {
            Offer offer = offers.remove();
            SpeedUp job = offer.job();
            // What is left has become less since it was offered.
            if (!job.look(left)) {
                continue;
            }
            if (job.worth() < offer.worth()) {
                offers.add(new Offer(job, offer.place(), job.worth()));
                continue;
            }
            gained += job.gain();
            left.take(job.spread(), job.step());
            job.takeStep();
            offer(offers, job, offer.place());
        }
        return gained;
    }

    private void offer(PriorityQueue<Offer> offers, SpeedUp job, int place) {
        if (job.look(left)) {
            offers.add(new Offer(job, place, job.worth()));
        }
    }
}
