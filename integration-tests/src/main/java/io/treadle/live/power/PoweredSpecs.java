// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import io.treadle.am.spec.JobSpec;
import io.treadle.demo.DemoJob;
import io.treadle.demo.JobSpecs;
import io.treadle.demo.SpecSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes jobs of {@link PoweredWork} as specifications that any user would submit: elastic from one GPU on. */
final class PoweredSpecs implements SpecSource {
    static final int WORKER_MIB = 256;
    private static final int PROFILE_SECONDS = 120;

    private final String python;
    private final Path trainer;
    private final boolean takeBatches;

    /** @param trainer local copy of {@code powered.py} */
    PoweredSpecs(String python, Path trainer) {
        this(python, trainer, false);
    }

    private PoweredSpecs(String python, Path trainer, boolean takeBatches) {
        this.python = python;
        this.trainer = trainer;
        this.takeBatches = takeBatches;
    }

    /** The same jobs, whose workers train with other batches where Treadle asks for it. */
    PoweredSpecs takingBatches() {
        return new PoweredSpecs(python, trainer, true);
    }

    @Override
    public JobSpec of(DemoJob job, String queue, boolean profiled) {
        PoweredWork work = PoweredWork.ALL.stream()
                .filter(known -> known.modelTag().equals(job.work().modelTag()))
                .findFirst()
                .orElseThrow();
        JobSpec.TaskGroup workers = new JobSpec.TaskGroup(
                "worker",
                job.workers(),
                1,
                job.gpusPerWorker(),
                0,
                job.gpuModels(),
                job.vcoresPerWorker(),
                WORKER_MIB,
                0,
                0,
                "exec " + python + " -S " + trainer.getFileName() + " " + work.arguments(job.samples())
                        + (takeBatches ? " batches" : ""),
                Map.of());
        return new JobSpec(
                job.name(),
                queue,
                work.modelTag(),
                0,
                job.samples(),
                true,
                0,
                3,
                2,
                Map.of(),
                List.of(new JobSpec.FileSpec(
                        trainer.toUri().toString(), trainer.getFileName().toString())),
                List.of(),
                Optional.empty(),
                new JobSpec.AppMaster(1, JobSpecs.APP_MASTER_MIB),
                new JobSpec.Profiling(profiled, PROFILE_SECONDS),
                List.of(workers));
    }
}
