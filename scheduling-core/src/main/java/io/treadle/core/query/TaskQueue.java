// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import com.google.common.collect.Collections2;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The tasks that wait on a worker, in the order in which they will run. Not safe for use by several threads at once.
 *
 * @param <T> what is known of a waiting task beside what runs
 */
public final class TaskQueue<T> {
    /**
     * A task that waits.
     *
     * @param what whatever belongs to it
     */
    public record Waiting<T>(QueryTask task, T what) {}

    private record Place(double key, long number) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byKey = Double.compare(key, other.key);
            return byKey == 0 ? Long.compare(number, other.number) : byKey;
        }
    }

    private final QueueOrder order;
    private final TreeMap<Place, Waiting<T>> waiting = new TreeMap<>();
    private double runMs;
    private long number;

    public TaskQueue(QueueOrder order) {
        this.order = order;
    }

    /**
     * @param rankMs upward rank of the task
     * @param arrivalMs when its query came
     */
    public void add(QueryTask task, T what, double rankMs, double arrivalMs) {
        waiting.put(new Place(order.key(rankMs, arrivalMs), number++), new Waiting<>(task, what));
        runMs += task.runMs();
    }

    /** Takes the next one out. */
    public Optional<Waiting<T>> poll() {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        Waiting<T> next = waiting.pollFirstEntry().getValue();
        // What adds up and goes down again drifts: where nothing is left, nothing is.
        runMs = waiting.isEmpty() ? 0 : runMs - next.task().runMs();
        return Optional.of(next);
    }

    /** Those of which it is so are not wanted any more. */
    public void removeIf(Predicate<T> isUnwanted) {
        if (waiting.values().removeIf(each -> isUnwanted.test(each.what()))) {
            // Summed anew: what adds up and goes down again drifts.
            runMs = waiting.values().stream()
                    .mapToDouble(each -> each.task().runMs())
                    .sum();
        }
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    public int size() {
        return waiting.size();
    }

    /** How long all of them run, ms. */
    public double runMs() {
        return runMs;
    }

    /** The models of each, the next one first. */
    public Collection<List<Model>> models() {
        return Collections2.transform(waiting.values(), each -> each.task().models());
    }
}
