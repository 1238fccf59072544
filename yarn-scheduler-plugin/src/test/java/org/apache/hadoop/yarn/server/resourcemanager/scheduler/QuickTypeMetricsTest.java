// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.yarn.server.resourcemanager.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.AllResourceTypes;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueueMetrics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop's own metrics of resource types are the oracle. */
class QuickTypeMetricsTest {
    private static final List<String> LEAVES = List.of("root.a", "root.b");
    private static final List<String> PARTITIONS = List.of("", "gpu");
    private static final List<String> TYPES = List.of(AllResourceTypes.TYPES.split(","));
    private static final String USER = "ann";

    @BeforeEach
    void declare() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        AllResourceTypes.declare();
        QueueMetrics.clearQueueMetrics();
    }

    @AfterEach
    void forget() {
        QueueMetrics.clearQueueMetrics();
        AllResourceTypes.forget();
    }

    /** A root with two leaves, and the metrics of both partitions of each: all that there are. */
    private static Map<String, QueueMetrics> tree() {
        QueueMetrics.clearQueueMetrics();
        QueueMetrics root = metrics("root", null);
        for (String leaf : LEAVES) {
            QueueMetrics metrics = metrics(leaf, root);
            PARTITIONS.forEach(
                    partition -> metrics.setAvailableResourcesToQueue(partition, Resource.newInstance(0, 0)));
        }
        return QueueMetrics.getQueueMetrics();
    }

    private static QueueMetrics metrics(String queue, @Nullable QueueMetrics above) {
        Queue parent = above == null
                ? null
                : (Queue) Proxy.newProxyInstance(
                        QuickTypeMetricsTest.class.getClassLoader(),
                        new Class<?>[] {Queue.class},
                        // Metrics ask the queue above for nothing else.
                        (proxy, method, arguments) -> method.getName().equals("getMetrics") ? above : null);
        return CSQueueMetrics.forQueue(queue, parent, true, new Configuration(false));
    }

    /** All figures of all queues, partitions and users, by their names, with what is said of them. */
    private static Map<String, Number> figures(Map<String, QueueMetrics> all) {
        Map<String, Number> figures = new TreeMap<>();
        all.forEach((name, metrics) -> {
            addTo(figures, name, metrics);
            addTo(figures, name + " of " + USER, metrics.getUserMetrics(USER));
        });
        return figures;
    }

    private static void addTo(Map<String, Number> figures, String name, @Nullable QueueMetrics metrics) {
        if (metrics == null) {
            return;
        }
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        collector.getRecords().forEach(record -> {
            for (AbstractMetric figure : record.metrics()) {
                figures.put(name + ": " + figure.name() + ", " + figure.description(), figure.value());
            }
        });
    }

    private static Resource size(Random random) {
        Resource size = Resource.newInstance(random.nextInt(4096), random.nextInt(16));
        TYPES.forEach(type -> size.setResourceValue(type, random.nextInt(3)));
        return size;
    }

    private static void change(QueueMetrics leaf, Random random) {
        String partition = PARTITIONS.get(random.nextInt(PARTITIONS.size()));
        Resource size = size(random);
        int containers = 1 + random.nextInt(3);
        switch (random.nextInt(10)) {
            case 0 -> leaf.setAvailableResourcesToQueue(partition, size);
            case 1 -> leaf.setAvailableResourcesToUser(partition, USER, size);
            case 2 -> leaf.incrPendingResources(partition, USER, containers, size);
            case 3 -> leaf.decrPendingResources(partition, USER, containers, size);
            case 4 -> leaf.allocateResources(partition, USER, containers, size, random.nextBoolean());
            case 5 -> leaf.allocateResources(partition, USER, size);
            case 6 -> leaf.releaseResources(partition, USER, containers, size);
            case 7 -> leaf.reserveResource(partition, USER, size);
            case 8 -> leaf.unreserveResource(partition, USER, size);
            default -> {
                leaf.updatePreemptedForCustomResources(size);
                leaf.updatePreemptedSecondsForCustomResources(size, random.nextInt(60));
            }
        }
    }

    /** What figures are after many changes. */
    private static Map<String, Number> after(Map<String, QueueMetrics> all, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            change(all.get(LEAVES.get(random.nextInt(LEAVES.size()))), random);
        }
        return figures(all);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void figuresAreThoseOfHadoopsOwn(long seed) {
        Map<String, QueueMetrics> own = Map.copyOf(tree());
        Map<String, Number> atFirst = figures(own);
        Map<String, Number> expected = after(own, seed);
        // Metrics find those of their partitions by their names: there is one tree at a time.
        Map<String, QueueMetrics> quick = Map.copyOf(tree());
        QuickTypeMetrics.install();
        quick.forEach((name, each) ->
                assertInstanceOf(QuickTypeMetrics.class, each.getQueueMetricsForCustomResources(), name));
        assertEquals(atFirst, figures(quick));
        assertEquals(expected, after(quick, seed), "seed " + seed);
        for (String what : List.of("Allocated", "Available", "Pending", "Reserved", "AggregatePreemptedSeconds")) {
            TYPES.forEach(type -> assertTrue(
                    expected.entrySet().stream()
                            .anyMatch(each -> each.getKey().contains(": " + what)
                                    && each.getKey().contains(type)
                                    && each.getValue().longValue() != 0),
                    () -> "nothing was counted of " + what + " " + type));
        }
    }

    @Test
    void whatHasCountedKeepsItsFigures() {
        Map<String, QueueMetrics> all = Map.copyOf(tree());
        Random random = new Random(1);
        all.get("root.a").incrPendingResources("", USER, 1, size(random));
        Map<String, Number> before = figures(all);
        QuickTypeMetrics.install();
        assertEquals(before, figures(all));
        assertFalse(all.get("root").getQueueMetricsForCustomResources() instanceof QuickTypeMetrics);
        assertInstanceOf(QuickTypeMetrics.class, all.get("root.b").getQueueMetricsForCustomResources());
    }

    @Test
    void withoutOtherTypesThereIsNothingToReplace() {
        AllResourceTypes.forget();
        Map<String, QueueMetrics> all = Map.copyOf(tree());
        QuickTypeMetrics.install();
        all.values().forEach(each -> assertEquals(null, each.getQueueMetricsForCustomResources()));
    }

    /** Hadoop's own fails there: each thread finds no gauge, and the second may not make it again. */
    @Test
    void threadsThatCountANewTypeAtOnceShareItsGauge() throws Exception {
        tree();
        QuickTypeMetrics.install();
        QueueMetricsForCustomResources metrics =
                QueueMetrics.getQueueMetrics().get("root").getQueueMetricsForCustomResources();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 200; round++) {
                MetricsRegistry registry = new MetricsRegistry("round");
                String prefix = "Round" + round + ".";
                Callable<Boolean> count = () -> {
                    metrics.registerCustomResources(Map.of("a", 5L), registry, prefix, "of NAME");
                    return true;
                };
                for (Future<Boolean> each : threads.invokeAll(
                        IntStream.range(0, 4).mapToObj(i -> count).toList())) {
                    assertTrue(each.get());
                }
                assertEquals(5, ((MutableGaugeLong) registry.get(prefix + "a")).value());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
