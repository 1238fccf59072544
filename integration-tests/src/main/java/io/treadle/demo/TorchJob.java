// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.am.spec.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The PyTorch demo's job: two processes on two nodes train on scikit-learn's digits. */
final class TorchJob implements SpecSource {
    static final String SCRIPT = "digits_ddp.py";
    static final int EPOCHS = 120;

    private static final int BATCH = 16;
    private static final int WORKERS = 2;
    /** Training images of one process: 1437 halved, in whole batches. */
    private static final int SAMPLES_PER_EPOCH = 1437 / WORKERS / BATCH * BATCH;

    private final Path script;
    private final Path result;

    /**
     * @param script local copy of {@link #SCRIPT}
     * @param result file to which rank 0 writes the test accuracy
     */
    TorchJob(Path script, Path result) {
        this.script = script;
        this.result = result;
    }

    static DemoJob job() {
        return new DemoJob(
                "digits",
                new Work("digits-cnn", 10, 1, BATCH),
                WORKERS,
                1,
                1,
                List.of(),
                (long) EPOCHS * SAMPLES_PER_EPOCH * WORKERS,
                0);
    }

    @Override
    public JobSpec of(DemoJob job, String queue, boolean profiled) {
        String command = "exec nice -n 5 " + TorchPackages.PYTHON + " " + SCRIPT + " --epochs " + EPOCHS + " --batch "
                + BATCH + " --checkpoint \"$TREADLE_CHECKPOINT_DIR/digits.pt\" --result '" + result + "'";
        JobSpec.TaskGroup workers = new JobSpec.TaskGroup(
                "worker", WORKERS, WORKERS, 1, 0, List.of(), job.vcoresPerWorker(), 1024, 0, 0, command, Map.of());
        return new JobSpec(
                job.name(),
                queue,
                job.work().modelTag(),
                BATCH,
                job.samples(),
                false,
                0,
                3,
                1,
                Map.of(),
                List.of(new JobSpec.FileSpec(script.toUri().toString(), SCRIPT)),
                List.of(),
                Optional.empty(),
                new JobSpec.AppMaster(1, 512),
                new JobSpec.Profiling(profiled, 60),
                List.of(workers));
    }
}
