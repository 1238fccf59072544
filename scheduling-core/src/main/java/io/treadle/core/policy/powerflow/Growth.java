// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.powerflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Steps by which jobs grow, best first. A step that does not fit is passed over, as a smaller one may; once a job has taken
 * one, those that it could have taken instead are void and it is looked at anew.
 */
final class Growth {
    /** Finds a job's next steps from what it has. */
    interface Next {
        /** Those that are worth it. */
        List<Step> from(Choice now);
    }

    /**
     * @param to what the job then has
     * @param worth the larger, the sooner it is taken
     */
    record Step(Choice to, double worth) {}

    private record Entry(int job, Choice from, Step step) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byWorth = Double.compare(other.step.worth(), step.worth());
            if (byWorth != 0) {
                return byWorth;
            }
            return job != other.job
                    ? Integer.compare(job, other.job)
                    : Long.compare(step.to().gpus(), other.step.to().gpus());
        }
    }

    private Growth() {}

    /**
     * @param started what jobs have at first
     * @param gpus that may be handed out in all
     * @param allowance what may still be drawn with what the jobs have at first; empty where nobody looks at it
     */
    static List<Choice> grow(List<Choice> started, long gpus, Optional<Allowance> allowance, Next next) {
        List<Choice> all = new ArrayList<>(started);
        long freeGpus = gpus - started.stream().mapToLong(Choice::gpus).sum();
        PriorityQueue<Entry> queue = new PriorityQueue<>();
        for (int i = 0; i < all.size(); i++) {
            push(queue, i, all.get(i), next);
        }
        while (!queue.isEmpty()) {
            Entry entry = queue.remove();
            Choice from = entry.from();
            Choice to = entry.step().to();
            boolean stands = all.get(entry.job()).equals(from);
            if (stands
                    && to.gpus() - from.gpus() <= freeGpus
                    && allowance.map(left -> left.allows(from, to)).orElse(true)) {
                freeGpus -= to.gpus() - from.gpus();
                allowance.ifPresent(left -> left.take(from, to));
                all.set(entry.job(), to);
                push(queue, entry.job(), to, next);
            }
        }
        return all;
    }

    private static void push(PriorityQueue<Entry> queue, int job, Choice from, Next next) {
        next.from(from).forEach(step -> queue.add(new Entry(job, from, step)));
    }
}
