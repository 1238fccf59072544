// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.am.spec.JobSpec;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.NodeShape;
import io.treadle.core.model.energy.CapDraw;
import io.treadle.core.model.energy.GpuSample;
import io.treadle.core.wire.EnergyPoint;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.demo.JobSpecs;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.rm.profile.ProfileKey;
import io.treadle.rm.profile.ProfileStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** PyTorch on scikit-learn's digits with one worker or two ({@code digits_elastic.py}), and what is known of its energy. */
final class ElasticDigits {
    static final String MODEL_TAG = "digits-elastic";
    /** Training images of scikit-learn's digits: 1797 without the 360 that are kept for the test. */
    static final int DATASET = 1437;

    static final int EPOCHS = 100;
    static final int BATCH = 64;
    static final int STEPS = EPOCHS * ((DATASET + BATCH - 1) / BATCH);
    static final int MOST_WORKERS = 2;

    private static final int WORKER_MIB = 768;
    private static final List<String> SCRIPTS = List.of("digits_elastic.py", "digits_ddp.py", "watched.py");
    /** Of a step on one GPU, s. */
    private static final double BATCH_SECONDS = 0.04;
    /** Of it, what does not become less on more GPUs, s. */
    private static final double EXCHANGE_SECONDS = 0.004;

    private static final String GPU = "A100-SXM4-40GB";
    private static final int GPU_WATTS = 400;
    /** Simulated GPUs are known by their node's name, and only one NodeManager of a machine caps a GPU. */
    static final NodeShape NODE =
            new NodeShape("digits", 8192, 8, List.of(new DeviceShape(MOST_WORKERS, GPU, 40960, GPU_WATTS)));

    private ElasticDigits() {}

    /**
     * @param scripts directory for copies of the scripts
     * @param log directory where {@code watched.py} writes what is trained
     * @param result file to which rank 0 writes the test accuracy
     */
    static JobSpec spec(String queue, Path scripts, Path log, Path result) {
        String command = "exec " + Python.interpreter() + " -B -m watched '" + log + "' " + BATCH_SECONDS
                + " digits_elastic --epochs " + EPOCHS + " --batch " + BATCH + " --result '" + result + "'";
        List<JobSpec.FileSpec> files = SCRIPTS.stream()
                .map(name -> new JobSpec.FileSpec(
                        Scripts.extract(name, scripts).toUri().toString(), name))
                .toList();
        return new JobSpec(
                "digits",
                queue,
                MODEL_TAG,
                0,
                (long) EPOCHS * DATASET,
                true,
                0,
                3,
                1,
                Map.of(),
                files,
                List.of(),
                Optional.empty(),
                new JobSpec.AppMaster(1, JobSpecs.APP_MASTER_MIB),
                new JobSpec.Profiling(true, 60),
                List.of(new JobSpec.TaskGroup(
                        "worker", MOST_WORKERS, 1, 1, 0, List.of(GPU), 1, WORKER_MIB, 0, 0, command, Map.of())));
    }

    /**
     * What a user imports of an earlier cluster: the draw of the simulated GPUs, and a speed that grows with their number.
     * What trains here is a CPU, which knows no caps.
     */
    static void importProfile(ProfileStore store) throws Exception {
        CapDraw draw = CapDraw.fit(List.of(new GpuSample(1, GPU_WATTS, 1, 0.9 * GPU_WATTS)));
        List<EnergyPoint> points = new ArrayList<>();
        for (int gpus = 1; gpus <= MOST_WORKERS; gpus++) {
            for (double part : new double[] {1, 0.6, 0.4}) {
                double cap = part * GPU_WATTS;
                double slower = 0.96 + 0.04 * Math.pow(part, -3.5);
                double seconds = ((BATCH_SECONDS - EXCHANGE_SECONDS) / gpus + EXCHANGE_SECONDS) * slower;
                points.add(new EnergyPoint(gpus, 1, BATCH, cap, BATCH / seconds, gpus * draw.watts(cap), 60, 0.01, 50));
            }
        }
        ProfileRecord record = new ProfileRecord(
                "application_1_0001",
                MODEL_TAG,
                GPU,
                BATCH,
                ProfileRecord.Phase.READY,
                1,
                List.of(new ProfileRecord.Point(1, WORKER_MIB, BATCH / BATCH_SECONDS, 60, 0.01, 50)),
                System.currentTimeMillis());
        store.put(ProfileKey.of(System.getProperty("user.name"), MODEL_TAG, GPU, BATCH), record.withEnergy(points));
    }
}
