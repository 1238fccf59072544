// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.scheduler;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.jspecify.annotations.NullMarked;

/**
 * A queue's metrics of resource types beyond memory and vcores, which remembers each gauge. Hadoop's own puts the name of each
 * gauge together and looks it up under a lock whenever a container starts, ends or is asked for, in each queue above it: a
 * tenth of the scheduler's time on a cluster that declares the types that GPUs need. Names, values and descriptions are the
 * same. Thread-safe where Hadoop's is.
 */
@NullMarked
public final class QuickTypeMetrics extends QueueMetricsForCustomResources {
    /** By prefix, which stands for what is counted, and resource type. */
    private final Map<String, Map<String, MutableGaugeLong>> gauges = new ConcurrentHashMap<>();

    private QuickTypeMetrics() {}

    /**
     * Takes the place of Hadoop's own in all metrics of queues and partitions that there are. What is made later, for queues that
     * are added and labels that come, keeps Hadoop's. To be called before anything is counted: metrics that have counted keep
     * theirs as well.
     */
    public static void install() {
        QueueMetrics.getQueueMetrics().values().forEach(QuickTypeMetrics::installIn);
    }

    private static void installIn(QueueMetrics metrics) {
        QueueMetricsForCustomResources before = metrics.getQueueMetricsForCustomResources();
        if (before != null && !(before instanceof QuickTypeMetrics) && hasCountedNothing(before)) {
            metrics.setQueueMetricsForCustomResources(new QuickTypeMetrics());
        }
    }

    private static boolean hasCountedNothing(QueueMetricsForCustomResources metrics) {
        return isZero(metrics.getAllocatedValues())
                && isZero(metrics.getAvailableValues())
                && isZero(metrics.getPendingValues())
                && isZero(metrics.getReservedValues())
                && isZero(metrics.getAggregatePreemptedSeconds().getValues());
    }

    private static boolean isZero(Map<String, Long> values) {
        return values.values().stream().allMatch(each -> each == 0);
    }

    @Override
    public void registerCustomResources(
            Map<String, Long> values, MetricsRegistry registry, String prefix, String description) {
        Map<String, MutableGaugeLong> ofPrefix = gauges.get(prefix);
        if (ofPrefix == null) {
            ofPrefix = gauges.computeIfAbsent(prefix, unknown -> new ConcurrentHashMap<>());
        }
        for (Map.Entry<String, Long> value : values.entrySet()) {
            MutableGaugeLong gauge = ofPrefix.get(value.getKey());
            if (gauge == null) {
                gauge = ofPrefix.computeIfAbsent(
                        value.getKey(), type -> registered(type, registry, prefix, description));
            }
            gauge.set(value.getValue());
        }
    }

    private MutableGaugeLong registered(String type, MetricsRegistry registry, String prefix, String description) {
        super.registerCustomResources(Map.of(type, 0L), registry, prefix, description);
        return (MutableGaugeLong) Objects.requireNonNull(registry.get(prefix + type));
    }
}
