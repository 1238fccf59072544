// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.metrics;

import io.treadle.core.plan.Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableGaugeFloat;

/** How near the choice of jobs comes to the best, for each queue whose policy tells, for {@code /jmx} and {@code /prom}. */
public final class AdmissionMetrics {
    static final String NAME = "TreadleAdmission";

    private final Map<String, Source> sources = new ConcurrentHashMap<>();

    private static final class Source implements MetricsSource {
        private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("yarn");
        private final MutableGaugeFloat value = registry.newGauge(
                "Value", "what of what is given out by size, before places are found, the chosen jobs bring", 0f);
        private final MutableGaugeFloat bound = registry.newGauge("Bound", "what no choice of jobs could exceed", 0f);
        private final MutableGaugeFloat gap =
                registry.newGauge("Gap", "how much of the bound is missed at most, 0 to 1", 0f);

        Source(String queue, String partition) {
            registry.tag("Queue", "path of the leaf queue", queue);
            registry.tag("Partition", "node label of the nodes; empty for those without one", partition);
        }

        void show(Certificate certificate) {
            value.set((float) certificate.value());
            bound.set((float) certificate.bound());
            gap.set((float) certificate.gap());
        }

        @Override
        public void getMetrics(MetricsCollector collector, boolean all) {
            registry.snapshot(collector.addRecord(registry.info()), all);
        }
    }

    static String nameOf(String queue, String partition) {
        return NAME + ",queue=" + queue + (partition.isEmpty() ? "" : ",partition=" + partition);
    }

    /**
     * @param partition node label of the nodes that were planned; empty for those without one
     * @param certificate empty where the queue's policy tells nothing, or the queue has no jobs any more
     */
    public void show(String queue, String partition, Optional<Certificate> certificate) {
        String name = nameOf(queue, partition);
        if (certificate.isPresent()) {
            sources.computeIfAbsent(name, key -> register(key, queue, partition))
                    .show(certificate.get());
        } else if (sources.remove(name) != null) {
            DefaultMetricsSystem.instance().unregisterSource(name);
        }
    }

    /** Registers anew: after a failover the source of the scheduler before may still be there. */
    private static Source register(String name, String queue, String partition) {
        DefaultMetricsSystem.instance().unregisterSource(name);
        return DefaultMetricsSystem.instance()
                .register(name, "Treadle's choice of jobs in a queue", new Source(queue, partition));
    }

    /** Nothing is planned any more. */
    public void close() {
        sources.keySet().forEach(name -> DefaultMetricsSystem.instance().unregisterSource(name));
        sources.clear();
    }
}
