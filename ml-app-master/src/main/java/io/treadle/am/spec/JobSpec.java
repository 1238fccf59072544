// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.SizingSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A training job as its user wrote it, with every default filled in.
 *
 * @param name shown in the RM UI
 * @param queue leaf queue to submit to; empty for YARN's default
 * @param modelTag the user's name for the model, under which its profile is kept; empty for none
 * @param batchSize samples in a step of one worker; 0 where unknown
 * @param totalSamples samples that the job needs; 0 where unknown
 * @param elastic whether the number of workers may change while the job runs
 * @param minRuntimeSeconds how long the job is left alone once it runs
 * @param maxRestarts how often workers may fail before the job does
 * @param maxAmAttempts how often the ApplicationMaster may be started
 * @param env environment of every task
 * @param files files that appear in every task's working directory
 * @param archives archives that appear as directories there
 * @param checkpointDir directory on shared storage; empty for one under the staging directory
 * @param sizing what its end is worth, and the most that all its tasks may hold together
 */
public record JobSpec(
        String name,
        String queue,
        String modelTag,
        long batchSize,
        long totalSamples,
        boolean elastic,
        long minRuntimeSeconds,
        int maxRestarts,
        int maxAmAttempts,
        Map<String, String> env,
        List<FileSpec> files,
        List<FileSpec> archives,
        Optional<String> checkpointDir,
        AppMaster appMaster,
        Profiling profiling,
        List<TaskGroup> groups,
        SizingSpec sizing) {

    public JobSpec {
        env = Map.copyOf(env);
        files = List.copyOf(files);
        archives = List.copyOf(archives);
        groups = List.copyOf(groups);
    }

    /** A job that says nothing of its worth. */
    public JobSpec(
            String name,
            String queue,
            String modelTag,
            long batchSize,
            long totalSamples,
            boolean elastic,
            long minRuntimeSeconds,
            int maxRestarts,
            int maxAmAttempts,
            Map<String, String> env,
            List<FileSpec> files,
            List<FileSpec> archives,
            Optional<String> checkpointDir,
            AppMaster appMaster,
            Profiling profiling,
            List<TaskGroup> groups) {
        this(
                name,
                queue,
                modelTag,
                batchSize,
                totalSamples,
                elastic,
                minRuntimeSeconds,
                maxRestarts,
                maxAmAttempts,
                env,
                files,
                archives,
                checkpointDir,
                appMaster,
                profiling,
                groups,
                SizingSpec.NONE);
    }

    /**
     * @param path local path or URI of any Hadoop file system
     * @param link name in the task's working directory
     */
    public record FileSpec(String path, String link) {}

    /** Size of the ApplicationMaster's container. */
    public record AppMaster(long vcores, long memoryMiB) {}

    /**
     * @param enabled whether the job's speed over vcores is measured when it is not known
     * @param maxSeconds the longest that profiling may take
     * @param updates whether workers wait for each other in each step, of a job with parameter servers
     */
    public record Profiling(boolean enabled, int maxSeconds, Mode updates) {
        /** Of workers that wait for each other. */
        public Profiling(boolean enabled, int maxSeconds) {
            this(enabled, maxSeconds, Mode.SYNC);
        }
    }

    /**
     * Tasks that are alike.
     *
     * @param count tasks that the job can use
     * @param min tasks that must start together; {@code count} unless the group is elastic
     * @param gpusPerWorker whole GPUs of each task
     * @param gpuMemoryMiB slice of one GPU's memory instead of whole GPUs, MiB; 0 for none
     * @param gpuModels GPU models that will do; empty for any
     * @param vcores vcores that each task asks for
     * @param memoryMiB memory of each task, MiB
     * @param storageMBps storage bandwidth of each task, MB/s; 0 for none
     * @param watts power of each task, W; 0 for none
     * @param command shell command line
     * @param joins whether its tasks may begin and end while the others train on
     * @param container the image that its tasks run in; empty for plain processes of the node
     */
    public record TaskGroup(
            String name,
            int count,
            int min,
            int gpusPerWorker,
            long gpuMemoryMiB,
            List<String> gpuModels,
            long vcores,
            long memoryMiB,
            long storageMBps,
            long watts,
            String command,
            Map<String, String> env,
            boolean joins,
            Optional<ContainerSpec> container) {
        public TaskGroup {
            gpuModels = List.copyOf(gpuModels);
            env = Map.copyOf(env);
        }

        /** Tasks that start together. */
        public TaskGroup(
                String name,
                int count,
                int min,
                int gpusPerWorker,
                long gpuMemoryMiB,
                List<String> gpuModels,
                long vcores,
                long memoryMiB,
                long storageMBps,
                long watts,
                String command,
                Map<String, String> env) {
            this(
                    name,
                    count,
                    min,
                    gpusPerWorker,
                    gpuMemoryMiB,
                    gpuModels,
                    vcores,
                    memoryMiB,
                    storageMBps,
                    watts,
                    command,
                    env,
                    false);
        }

        /** Plain processes of the node. */
        public TaskGroup(
                String name,
                int count,
                int min,
                int gpusPerWorker,
                long gpuMemoryMiB,
                List<String> gpuModels,
                long vcores,
                long memoryMiB,
                long storageMBps,
                long watts,
                String command,
                Map<String, String> env,
                boolean joins) {
            this(
                    name,
                    count,
                    min,
                    gpusPerWorker,
                    gpuMemoryMiB,
                    gpuModels,
                    vcores,
                    memoryMiB,
                    storageMBps,
                    watts,
                    command,
                    env,
                    joins,
                    Optional.empty());
        }

        /** What each task asks for. */
        public ResourceVector resources() {
            return new ResourceVector(gpusPerWorker, vcores, memoryMiB, gpuMemoryMiB, storageMBps, watts);
        }
    }
}
