// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Jobs that wait: kept in their order where time does not change it, else sorted when they are served. */
final class Waiting implements Iterable<JobView> {
    private record Entry(JobView job, long came) {}

    private final Order order;
    private final Moment moment;
    private final TreeSet<Entry> sorted;
    private final Map<String, Entry> byId = new HashMap<>();
    private long cameLast;
    /** Jobs that came since the last decision. */
    private int fresh;

    Waiting(Order order, Moment moment) {
        this.order = order;
        this.moment = moment;
        Comparator<Entry> byComing = Comparator.comparingLong(Entry::came);
        sorted = new TreeSet<>(
                order.isTimeless()
                        ? Comparator.comparing(Entry::job, Keys.comparator(order, moment))
                                .thenComparing(byComing)
                        : byComing);
    }

    void add(JobView job) {
        Entry entry = new Entry(job, cameLast++);
        byId.put(job.id(), entry);
        sorted.add(entry);
        fresh++;
    }

    boolean remove(String jobId) {
        Entry entry = byId.remove(jobId);
        return entry != null && sorted.remove(entry);
    }

    boolean isEmpty() {
        return sorted.isEmpty();
    }

    /** In the order in which they are served at this moment; what is fresh is so no longer. */
    Iterable<JobView> served(long nowMs) {
        boolean allFresh = fresh == sorted.size() && order.amongFresh() != order;
        fresh = 0;
        if (order.isTimeless() && !allFresh) {
            return this;
        }
        Moment now = new Moment(nowMs, moment.capacity());
        Comparator<JobView> comparator = Keys.comparator(allFresh ? order.amongFresh() : order, now);
        return sorted.stream()
                .sorted(Comparator.comparing(Entry::job, comparator).thenComparingLong(Entry::came))
                .map(Entry::job)
                .toList();
    }

    @Override
    public Iterator<JobView> iterator() {
        Iterator<Entry> entries = sorted.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public JobView next() {
                return Objects.requireNonNull(entries.next()).job();
            }
        };
    }
}
