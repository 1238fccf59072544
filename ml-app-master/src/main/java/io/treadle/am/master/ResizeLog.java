// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.profile.RateEstimate;
import io.treadle.am.profile.SampleSeries;
import io.treadle.am.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Every change of a running container's vcores or memory that its worker has seen, and what it did to the job's speed. */
final class ResizeLog {
    /** Of a worker. */
    static final String VCORES = "vcores";
    /** Of a worker, MiB. */
    static final String MEMORY = "memoryMiB";

    private static final double BEFORE_SECONDS = 15;
    private static final double SETTLE_SECONDS = 1;
    private static final double BURST_SECONDS = 2;
    private static final double AFTER_SECONDS = 9;
    private static final int MAX_ENTRIES = 2_000;

    /**
     * @param what {@link #VCORES} or {@link #MEMORY}
     * @param atSeconds after the gang's first start
     * @param by {@code scheduler} or {@code profiler}
     * @param before samples/s of the job before; empty where it cannot be told
     * @param after samples/s of the job after; empty where it cannot be told
     */
    record Entry(
            String containerId,
            String what,
            double atSeconds,
            long from,
            long to,
            String by,
            OptionalDouble before,
            OptionalDouble after) {
        /** Whose effect is not known yet. */
        Entry(String containerId, String what, double atSeconds, long from, long to, String by) {
            this(containerId, what, atSeconds, from, to, by, OptionalDouble.empty(), OptionalDouble.empty());
        }

        ObjectNode toNode() {
            ObjectNode json = Json.object()
                    .put("containerId", containerId)
                    .put("resource", what)
                    .put("atSeconds", Math.round(atSeconds * 10) / 10.0)
                    .put("from", from)
                    .put("to", to)
                    .put("by", by);
            put(json, "samplesPerSecondBefore", before);
            put(json, "samplesPerSecondAfter", after);
            return json;
        }

        private Entry with(OptionalDouble newBefore, OptionalDouble newAfter) {
            return new Entry(containerId, what, atSeconds, from, to, by, newBefore, newAfter);
        }

        static Entry fromNode(ObjectNode json) {
            return new Entry(
                    Json.text(json, "containerId"),
                    json.path("resource").asText(VCORES),
                    Json.number(json, "atSeconds"),
                    Json.integer(json, "from"),
                    Json.integer(json, "to"),
                    Json.text(json, "by"),
                    optional(json, "samplesPerSecondBefore"),
                    optional(json, "samplesPerSecondAfter"));
        }

        private static void put(ObjectNode json, String field, OptionalDouble value) {
            if (value.isPresent()) {
                json.put(field, value.getAsDouble());
            } else {
                json.putNull(field);
            }
        }

        private static OptionalDouble optional(ObjectNode json, String field) {
            return json.hasNonNull(field) ? OptionalDouble.of(Json.number(json, field)) : OptionalDouble.empty();
        }
    }

    /** An entry whose effect is still being watched. */
    private record Open(int index, double nowSeconds) {}

    private final List<Entry> entries = new ArrayList<>();
    private double burstSeconds = Double.NEGATIVE_INFINITY;
    private OptionalDouble burstBefore = OptionalDouble.empty();
    private final List<Open> open = new ArrayList<>();

    void restore(List<Entry> saved) {
        entries.addAll(saved);
    }

    /** @param entry its speeds are found here */
    void add(Entry entry, double now, List<SampleSeries> all) {
        close(now, all, true);
        if (entries.size() == MAX_ENTRIES) {
            return;
        }
        // Resizes of one plan reach the workers within a moment of each other and are judged together.
        if (now - burstSeconds > BURST_SECONDS) {
            burstBefore = speed(all, Math.max(now - BEFORE_SECONDS, burstSeconds + SETTLE_SECONDS));
            burstSeconds = now;
        }
        open.add(new Open(entries.size(), now));
        entries.add(entry.with(burstBefore, OptionalDouble.empty()));
    }

    /** Completes entries whose effect can be told by now. */
    void observe(double now, List<SampleSeries> all) {
        close(now, all, false);
    }

    private void close(double now, List<SampleSeries> all, boolean anotherResize) {
        open.removeIf(o -> {
            double age = now - o.nowSeconds();
            if (age < SETTLE_SECONDS + AFTER_SECONDS && !(anotherResize && age > BURST_SECONDS)) {
                return false;
            }
            Entry entry = entries.get(o.index());
            entries.set(o.index(), entry.with(entry.before(), speed(all, o.nowSeconds() + SETTLE_SECONDS)));
            return true;
        });
    }

    private static OptionalDouble speed(List<SampleSeries> all, double from) {
        Optional<RateEstimate> estimate = RateEstimate.over(all, from);
        return estimate.isPresent() ? OptionalDouble.of(estimate.get().samplesPerSecond()) : OptionalDouble.empty();
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }
}
