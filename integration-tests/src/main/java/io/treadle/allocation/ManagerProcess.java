// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
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

    private final Path directory;
    private @Nullable BenchCluster cluster;
    private @Nullable Windows windows;

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
            case WINDOW -> Objects.requireNonNull(windows).measure(order.count());
            case HEAP -> Answer.heap(heap());
            case GANG -> gang(Objects.requireNonNull(cluster), order.count());
        };
    }

    private Answer start(Setting setting) throws Exception {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
        BenchCluster started = BenchCluster.start(setting, directory);
        cluster = started;
        windows = new Windows(started);
        return Answer.NOTHING;
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

    /** By the scheduler's own clock, since this was last asked. */
    private static Answer longestHold() {
        MetricsSource source = DefaultMetricsSystem.instance().getSource("TreadleMetrics");
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        return Answer.gang(collector.getRecords().stream()
                .flatMap(record -> StreamSupport.stream(record.metrics().spliterator(), false))
                .filter(metric -> metric.name().equals("LockHoldIMaxTime"))
                .mapToDouble(metric -> metric.value().doubleValue())
                .findFirst()
                .orElseThrow());
    }
}
