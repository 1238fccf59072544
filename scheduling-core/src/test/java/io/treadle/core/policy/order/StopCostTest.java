// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.job.JobView;
import io.treadle.core.job.Pace;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.policy.PolicyRegistry;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StopCostTest {
    private static final Moment MOMENT = new Moment(5_000_000, ResourceVector.of(64, 640, 64 << 10));

    static Stream<Order> orders() {
        return PolicyRegistry.BUILT_IN.orders().stream()
                .map(order -> order.expecting(() -> ServiceTimes.of(new Random(1).doubles(500, 1, 1e6))));
    }

    /** What a stop costs never puts a job behind where it is without that, and more costs keep it no further behind. */
    @ParameterizedTest
    @MethodSource("orders")
    void aRunningJobNeverLosesByIt(Order order) {
        for (long seed = 0; seed < 500; seed++) {
            JobView job = job(new Random(seed));
            double key = order.key(job, MOMENT);
            for (double cost : DoubleStream.of(0, 1, 60, 1e4, 1e7).toArray()) {
                double charged = order.keyWhileItRuns(job, MOMENT, cost);
                String where = order.name() + ", seed " + seed + ", cost " + cost;
                assertTrue(charged <= key, () -> where + ": " + charged + " above " + key);
                assertTrue(!Double.isNaN(charged), where);
                if (cost == 0) {
                    assertEquals(key, charged, where);
                }
            }
        }
    }

    private static JobView job(Random random) {
        int workers = 1 + random.nextInt(4);
        TaskGroup group =
                new TaskGroup("worker", workers, workers, ResourceVector.of(1 + random.nextInt(4), 4, 1024), Set.of());
        boolean isTimed = random.nextInt(4) > 0;
        double total = 1 + random.nextInt(100_000);
        Progress progress = new Progress(
                total * random.nextDouble(),
                isTimed ? total : 0,
                isTimed ? .01 + random.nextDouble() : 0,
                1e5 * random.nextDouble(),
                1,
                random.nextBoolean() ? Pace.STILL : new Pace(4_000_000, 1, workers));
        RunningTask task = new RunningTask("t", "worker", "n", group.ask(), List.of());
        return new JobView(
                "job",
                random.nextInt(5_000_000),
                List.of(group),
                List.of(task),
                Optional.empty(),
                false,
                progress,
                Set.of(),
                random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(1e4 * random.nextDouble()));
    }
}
