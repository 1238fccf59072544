// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait: kept in their order where time does not change it, else sorted when they are served. Jobs of one shape
 * stand in one line: where the first of them finds no room, none of them does until something is given back.
 */
final class Waiting implements Iterable<JobView> {
    private record Shape(List<TaskGroup> groups, Set<String> avoidedNodes) {}

    private record Entry(JobView job, long came, Line line) {}

    private static final class Line {
        private final Shape shape;
        private final TreeSet<Entry> jobs;
        /** Whether the first of it found no room and nothing was given back since. */
        private boolean stuck;

        Line(Shape shape, Comparator<Entry> comparator) {
            this.shape = shape;
            this.jobs = new TreeSet<>(comparator);
        }
    }

    private final Order order;
    private final Moment moment;
    private final Comparator<Entry> comparator;
    private final Map<Shape, Line> lines = new HashMap<>();
    private final Map<String, Entry> byId = new HashMap<>();
    private long cameLast;
    /** Jobs that came since the last decision. */
    private int fresh;
    /** Of all together. */
    private long gpus;

    Waiting(Order order, Moment moment) {
        this.order = order;
        this.moment = moment;
        Comparator<Entry> byComing = Comparator.comparingLong(Entry::came);
        comparator = order.isTimeless()
                ? Comparator.comparing(Entry::job, Keys.comparator(order, moment))
                        .thenComparing(byComing)
                : byComing;
    }

    void add(JobView job) {
        Line line = lines.computeIfAbsent(
                new Shape(job.groups(), job.avoidedNodes()), shape -> new Line(shape, comparator));
        Entry entry = new Entry(job, cameLast++, line);
        byId.put(job.id(), entry);
        line.jobs.add(entry);
        gpus += job.gpus();
        fresh++;
    }

    void remove(String jobId) {
        Entry entry = byId.remove(jobId);
        if (entry != null) {
            entry.line().jobs.remove(entry);
            gpus -= entry.job().gpus();
            if (entry.line().jobs.isEmpty()) {
                lines.remove(entry.line().shape);
            }
        }
    }

    JobView job(String jobId) {
        return Objects.requireNonNull(byId.get(jobId)).job();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    /** Of all together. */
    long gpus() {
        return gpus;
    }

    /** Something was given back: every line may move again. */
    void roomWasMade() {
        lines.values().forEach(line -> line.stuck = false);
    }

    /** All in the order in which they are served at this moment; what is fresh is so no longer. */
    Iterable<JobView> served(long nowMs) {
        boolean allFresh = fresh == byId.size() && order.amongFresh() != order;
        fresh = 0;
        if (order.isTimeless() && !allFresh) {
            return this;
        }
        Moment now = new Moment(nowMs, moment.capacity());
        Comparator<JobView> keys = Keys.comparator(allFresh ? order.amongFresh() : order, now);
        return byId.values().stream()
                .sorted(Comparator.comparing(Entry::job, keys).thenComparingLong(Entry::came))
                .map(Entry::job)
                .toList();
    }

    /**
     * As {@link #served(long)}, but the first time that they are gone through, those that stand behind one that found no
     * room are passed over.
     *
     * @param found whether a job has found room
     */
    Iterable<JobView> served(long nowMs, Predicate<JobView> found) {
        Iterable<JobView> all = served(nowMs);
        if (all != this) {
            return all;
        }
        return new Iterable<>() {
            private boolean goneThrough;

            @Override
            public Iterator<JobView> iterator() {
                boolean first = !goneThrough;
                goneThrough = true;
                return first ? new Walk(found) : all.iterator();
            }
        };
    }

    @Override
    public Iterator<JobView> iterator() {
        return new Walk(null);
    }

    /** Goes through the lines side by side. */
    private final class Walk implements Iterator<JobView> {
        private record Head(Entry entry, Iterator<Entry> behind) {}

        private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::entry, comparator));
        private final @Nullable Predicate<JobView> found;
        private @Nullable Head last;

        /** @param found null to pass nobody over */
        Walk(@Nullable Predicate<JobView> found) {
            this.found = found;
            for (Line line : lines.values()) {
                if (found == null || !line.stuck) {
                    push(line.jobs.iterator());
                }
            }
        }

        private void push(Iterator<Entry> line) {
            if (line.hasNext()) {
                heads.add(new Head(Objects.requireNonNull(line.next()), line));
            }
        }

        @Override
        public boolean hasNext() {
            settleLast();
            return !heads.isEmpty();
        }

        @Override
        public JobView next() {
            settleLast();
            Head head = heads.remove();
            last = head;
            return head.entry().job();
        }

        /** The one behind the last comes up, unless the last found no room. */
        private void settleLast() {
            if (last == null) {
                return;
            }
            if (found == null || found.test(last.entry().job())) {
                push(last.behind());
            } else {
                last.entry().line().stuck = true;
            }
            last = null;
        }
    }
}
