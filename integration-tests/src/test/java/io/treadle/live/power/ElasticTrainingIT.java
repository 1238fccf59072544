// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.live.Torch;
import io.treadle.processes.Await;
import io.treadle.processes.Await.HopelessException;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PyTorch trains while {@code powerflow} gives it more GPUs, takes some back, suspends it and lets it go on, and while a
 * worker is killed between its checkpoint and the next start: the model learns each sample once an epoch all the same.
 */
@Tag("alone")
class ElasticTrainingIT {
    private static final Logger LOG = LoggerFactory.getLogger(ElasticTrainingIT.class);

    private static final String POLICY = "powerflow";
    private static final String QUEUE = DemoCluster.queueOf(POLICY);
    /** Enough for one GPU, at the lowest cap too little for two. */
    private static final double ONE_GPU_WATTS = 250;

    private static final double NO_GPU_WATTS = 50;
    private static final double LEAST_ACCURACY = 0.95;

    private final Path log;
    private final Path result;
    private final TrainedLog trained;

    ElasticTrainingIT(@TempDir Path directory) throws IOException {
        log = Files.createDirectory(directory.resolve("trained"));
        result = directory.resolve("result.json");
        trained = new TrainedLog(log);
    }

    @BeforeAll
    static void torchIsThere() throws Exception {
        Torch.assumeThere();
    }

    @Test
    void everySampleIsLearntOnceAnEpochWhateverTheNumberOfWorkers() throws Exception {
        Path work;
        try (EmbeddedCluster cluster = DemoCluster.start(
                        List.of(ElasticDigits.NODE), List.of(POLICY), new CpuShare(1), starting -> {}, settings());
                ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            TreadleScheduler scheduler =
                    (TreadleScheduler) cluster.resourceManager().getResourceScheduler();
            ElasticDigits.importProfile(scheduler.profiles().orElseThrow());
            budget(scheduler, OptionalDouble.of(ONE_GPU_WATTS));
            ApplicationId id = launcher.submit(ElasticDigits.spec(QUEUE, work.resolve("scripts"), log, result));
            Watch job = new Watch(new ApplicationViews(cluster), id);

            job.awaitTraining(1, 1);

            budget(scheduler, OptionalDouble.empty());
            job.awaitTraining(2, 2);

            budget(scheduler, OptionalDouble.of(ONE_GPU_WATTS));
            job.awaitTraining(1, 3);

            Path kill = Files.createFile(log.resolve("kill"));
            budget(scheduler, OptionalDouble.empty());
            Await.until("a worker has ended after its checkpoint for two workers", () -> !Files.exists(kill));
            job.awaitTraining(2, 4);

            budget(scheduler, OptionalDouble.of(NO_GPU_WATTS));
            job.awaitGpus(0);
            budget(scheduler, OptionalDouble.empty());
            Files.createFile(log.resolve("hurry"));
            Await.until("it ends", () -> job.view().ended());
            assertEquals(FinalApplicationStatus.SUCCEEDED, job.view().finalStatus());
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
        assertLearntOnce();
        double accuracy = new ObjectMapper()
                .readTree(result.toFile())
                .path("testAccuracy")
                .asDouble();
        LOG.info("test accuracy {}", accuracy);
        assertTrue(accuracy >= LEAST_ACCURACY, "test accuracy " + accuracy);
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = PowerNodes.settings("");
        settings.put("yarn.scheduler.treadle.power.rescale-seconds", "1");
        return settings;
    }

    /** On a machine with much else to do ZooKeeper is away for moments, in which budgets are refused. */
    private static void budget(TreadleScheduler scheduler, OptionalDouble watts) {
        Await.until("the queue's budget is " + watts, () -> {
            scheduler.power().budgets().setQueue("root." + QUEUE, Optional.of(watts));
            return true;
        });
    }

    private void assertLearntOnce() throws IOException {
        List<TrainedLog.Start> starts = trained.starts();
        SortedMap<Integer, List<Integer>> committed = TrainedLog.committed(starts);
        assertEquals(IntStream.rangeClosed(1, ElasticDigits.STEPS).boxed().toList(), List.copyOf(committed.keySet()));
        List<Integer> dataset =
                IntStream.range(0, ElasticDigits.DATASET).boxed().toList();
        int stepsOfEpoch = ElasticDigits.STEPS / ElasticDigits.EPOCHS;
        for (int epoch = 0; epoch < ElasticDigits.EPOCHS; epoch++) {
            List<Integer> samples =
                    committed.subMap(epoch * stepsOfEpoch + 1, (epoch + 1) * stepsOfEpoch + 1).values().stream()
                            .flatMap(List::stream)
                            .sorted()
                            .toList();
            assertEquals(dataset, samples, "epoch " + (epoch + 1));
        }
    }

    /** The job as the test sees it. */
    private final class Watch {
        private final ApplicationViews views;
        private final ApplicationId id;

        Watch(ApplicationViews views, ApplicationId id) {
            this.views = views;
            this.id = id;
        }

        ApplicationView view() {
            return views.of(id);
        }

        /** Returns when it was seen, ms since the epoch. */
        long awaitGpus(int gpus) {
            Await.until("it has " + gpus + " GPUs", () -> {
                hopeful();
                if (view().gpus() != gpus) {
                    throw new IllegalStateException(view().gpus() + " GPUs: " + view().diagnostics());
                }
                return true;
            });
            return System.currentTimeMillis();
        }

        /** Until so many starts have trained, the last of them with so many workers. */
        void awaitTraining(int workers, int starts) throws IOException {
            long granted = awaitGpus(workers);
            Await.until("start " + starts + " trains with " + workers + " workers", () -> {
                hopeful();
                List<TrainedLog.Start> seen = trained.starts();
                return seen.size() >= starts && seen.get(seen.size() - 1).world() == workers;
            });
            tell(granted);
        }

        private void hopeful() {
            if (view().ended()) {
                throw new HopelessException("it has ended: " + view().finalStatus() + " " + view().diagnostics());
            }
        }

        private void tell(long grantedMs) throws IOException {
            List<TrainedLog.Start> starts = trained.starts();
            TrainedLog.Start now = starts.get(starts.size() - 1);
            double begun = now.parts().get(0).at();
            double before = starts.size() == 1
                    ? Double.NaN
                    : starts.get(starts.size() - 2).parts().stream()
                            .mapToDouble(TrainedLog.Part::at)
                            .max()
                            .orElseThrow();
            LOG.info(String.format(
                    Locale.ROOT,
                    "step %d with %d workers, %.1f s after they were granted, %.1f s after the step before",
                    now.firstStep(),
                    now.world(),
                    begun - grantedMs / 1e3,
                    begun - before));
        }
    }
}
