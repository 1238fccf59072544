// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.allocator.RegularContainerAllocator;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A process with a ResourceManager that is measured. Its only argument is a directory for its files; it does each
 * {@link Order} that comes on a line of standard input, and says on a line each {@link Answer}.
 */
final class ManagerProcess {
    private static final int COLLECTIONS = 3;
    /** What became due while the process stood still is done in it at once, as it never is where time goes on. */
    private static final long SETTLES_MS = 1_000;
    /** What is done every few seconds at most falls anywhere before windows and in them. */
    private static final long SPREAD_MS = 5_000;

    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final Path directory;
    private @Nullable BenchCluster cluster;
    private @Nullable Windows windows;
    private @Nullable BenchPages pages;
    private int measured;

    private ManagerProcess(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        // Stock warns of every ask that is larger than a node, at each of its heartbeats.
        Logger.getLogger(RegularContainerAllocator.class).setLevel(Level.ERROR);
        ObjectMapper json = new ObjectMapper();
        ManagerProcess process = new ManagerProcess(Path.of(arguments[0]));
        try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                System.out.println(json.writeValueAsString(process.answer(json.readValue(line, Order.class))));
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        // The ResourceManager's threads would go on.
        System.exit(0);
    }

    private Answer answer(Order order) throws Exception {
        return switch (order.kind()) {
            case START -> start(order.setting());
            case WARM_UP -> Objects.requireNonNull(windows).measure(order.count());
            case WINDOW -> window(Objects.requireNonNull(windows), order);
            case OPEN -> open(Objects.requireNonNull(windows), order.count());
            case UNTIMED_PART -> untimedPart(Objects.requireNonNull(windows), order.count());
            case PART -> part(Objects.requireNonNull(windows), order.count());
            case CLOSE -> Objects.requireNonNull(windows).close();
            case HEAP -> Answer.heap(heap());
            case GANG -> gang(Objects.requireNonNull(cluster), order.count());
            case REFRESH -> Answer.once(Objects.requireNonNull(cluster).refresh());
            case RECOVER -> Answer.once(Objects.requireNonNull(cluster).recover(order.count()));
            case PAGE -> page(Objects.requireNonNull(cluster), order.count());
        };
    }

    private Answer start(Setting setting) throws Exception {
        if (cluster != null) {
            cluster.close();
            cluster = null;
            pages = null;
        }
        BenchCluster started = BenchCluster.start(setting, directory);
        cluster = started;
        windows = new Windows(started);
        return Answer.NOTHING;
    }

    private Answer page(BenchCluster shown, int number) throws Exception {
        BenchPages read = pages;
        if (read == null) {
            read = BenchPages.start(shown);
            pages = read;
        }
        return read.read(number);
    }

    private static long heap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Answer gang(BenchCluster cluster, int members) throws Exception {
        Master master = cluster.submitGang(members);
        cluster.launch(List.of(master));
        longestHold();
        master.allocate(List.of(BenchCluster.gangAsk(members)));
        BenchCluster.await("a gang of " + members + " is granted", () -> {
            cluster.run(master.allocate(List.of()));
            return master.held() == members;
        });
        Answer answer = longestHold();
        cluster.end(master);
        return answer;
    }

    private Answer window(Windows windows, Order order) throws Exception {
        // Multiples of the golden ratio are spread evenly, however many there are. Without jobs nothing is done every
        // few seconds.
        long spread = order.setting().gangs() == 0 ? 0 : (long) (measured++ * GOLDEN % 1 * SPREAD_MS);
        Thread.sleep(SETTLES_MS + spread);
        if (!order.setting().treadle()) {
            return windows.measure(order.count());
        }
        metrics();
        Answer answer = windows.measure(order.count());
        Map<String, Double> metrics = metrics();
        return answer.withRounds(
                metrics.getOrDefault("RoundAvgTime", 0.0), metrics.getOrDefault("RoundSnapshotsAvgTime", 0.0));
    }

    private static Answer open(Windows windows, int containers) throws Exception {
        Thread.sleep(SETTLES_MS);
        windows.open(containers);
        return Answer.NOTHING;
    }

    private static Answer untimedPart(Windows windows, int containers) throws Exception {
        windows.untimedPart(containers);
        return Answer.NOTHING;
    }

    private static Answer part(Windows windows, int containers) throws Exception {
        windows.part(containers);
        return Answer.NOTHING;
    }

    private static Answer longestHold() {
        return Answer.gang(Objects.requireNonNull(metrics().get("LockHoldIMaxTime")));
    }

    /** The scheduler's own, of the time since this was last called. */
    private static Map<String, Double> metrics() {
        MetricsSource source = DefaultMetricsSystem.instance().getSource("TreadleMetrics");
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        Map<String, Double> metrics = new HashMap<>();
        collector.getRecords().forEach(record -> record.metrics()
                .forEach(metric -> metrics.put(metric.name(), metric.value().doubleValue())));
        return metrics;
    }
}
