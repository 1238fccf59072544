// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.am.spec.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes a demo job as the specification that any user would submit. */
public final class JobSpecs implements SpecSource {
    /** Of each ApplicationMaster, MiB. */
    public static final long APP_MASTER_MIB = 512;

    private static final int WORKER_MIB = 512;
    private static final int PROFILE_SECONDS = 60;
    private static final int MAX_RESTARTS = 3;
    private static final int MAX_AM_ATTEMPTS = 2;

    private final String python;
    private final Path trainer;
    private final CpuShare share;

    /**
     * @param python the interpreter itself: a version manager's wrapper would cost more CPU time than a worker has
     * @param trainer local copy of {@code trainer.py}
     */
    public JobSpecs(String python, Path trainer, CpuShare share) {
        this.python = python;
        this.trainer = trainer;
        this.share = share;
    }

    /** Memory that each worker asks for, MiB. */
    public static int workerMiB(Work work) {
        return work.data().map(WorkData::memoryMiB).orElse(WORKER_MIB);
    }

    @Override
    public JobSpec of(DemoJob job, String queue, boolean profiled) {
        Work work = job.work();
        String command = String.format(
                Locale.ROOT,
                "exec %s -S %s %.4f %.4f %d %d %s",
                python,
                trainer.getFileName(),
                share.scale(work.cpuMsPerSample()),
                work.gpuMsPerBatch(),
                work.batch(),
                job.samples(),
                work.data()
                        .map(data -> data.arguments(data.beside(trainer, job.workers())))
                        .orElse(""));
        JobSpec.TaskGroup workers = new JobSpec.TaskGroup(
                "worker",
                job.workers(),
                job.workers(),
                job.gpusPerWorker(),
                0,
                job.gpuModels(),
                job.vcoresPerWorker(),
                workerMiB(work),
                0,
                0,
                command,
                Map.of());
        return new JobSpec(
                job.name(),
                queue,
                work.modelTag(),
                work.batch(),
                job.samples(),
                false,
                0,
                MAX_RESTARTS,
                MAX_AM_ATTEMPTS,
                Map.of(),
                List.of(new JobSpec.FileSpec(
                        trainer.toUri().toString(), trainer.getFileName().toString())),
                List.of(),
                Optional.empty(),
                new JobSpec.AppMaster(1, APP_MASTER_MIB),
                new JobSpec.Profiling(profiled, PROFILE_SECONDS),
                List.of(workers));
    }
}
