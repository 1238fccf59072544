// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import io.treadle.core.job.JobView;
import io.treadle.core.job.Progress;
import io.treadle.core.job.RunningTask;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.KnownPsModels;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/** Jobs with workers and servers. */
final class PsJobs {
    static final ResourceVector WORKER = ResourceVector.of(1, 4, 16);
    static final ResourceVector SERVER = ResourceVector.of(0, 2, 8);
    private static final double SECONDS_AN_HOUR = 3600;

    private PsJobs() {}

    /**
     * @param iterations those that are left; where workers do not wait for each other, of all of them together
     * @param most workers, and servers
     */
    static JobView job(
            String id,
            LayeredPsModel model,
            double iterations,
            ResourceVector worker,
            ResourceVector server,
            ResourceVector cap,
            int most,
            Utility utility) {
        double samples = iterations * model.batch();
        return new JobView(
                        id,
                        0,
                        List.of(
                                new TaskGroup("worker", 1, most, worker, Set.of()),
                                new TaskGroup("ps", 1, most, server, Set.of())),
                        List.of(),
                        Optional.empty(),
                        false,
                        new Progress(0, samples, 1 / model.samplesPerSecond(1, 1), 0),
                        Set.of())
                .withSizing(new Sizing(utility, Optional.of(model), Optional.of(cap)));
    }

    static Utility utility(double weight, double decay, double targetSeconds) {
        return new Utility(weight, decay, OptionalDouble.of(targetSeconds / SECONDS_AN_HOUR));
    }

    static JobView vggLike() {
        return known("vggLike", KnownPsModels.vggLike(), 10_000, 8, utility(50, 1, 7200));
    }

    static JobView resLike() {
        return known("resLike", KnownPsModels.resLike(), 20_000, 8, utility(80, 5, 10_800));
    }

    static JobView lmLike() {
        return known("lmLike", KnownPsModels.lmLike(), 8_000, 12, utility(30, .2, 28_800));
    }

    static JobView asyncLike() {
        return known("asyncLike", KnownPsModels.asyncLike(), 60_000, 8, utility(20, .5, 14_400));
    }

    private static JobView known(String id, LayeredPsModel model, double iterations, int pairs, Utility utility) {
        return job(
                id,
                model,
                iterations,
                WORKER,
                SERVER,
                ResourceVector.of(1, 8, 32).times(pairs),
                16,
                utility);
    }

    /** With a cap of some workers and servers, or one so tight that hardly anything goes into it. */
    static JobView random(String id, Random random) {
        LayeredPsModel model = KnownPsModels.random(random);
        ResourceVector worker =
                ResourceVector.of(1 + random.nextInt(3) / 2, 2 + random.nextInt(7), 1024L * (8 + random.nextInt(25)));
        ResourceVector server = ResourceVector.of(0, 1 + random.nextInt(4), 1024L * (4 + random.nextInt(13)));
        int pairs = random.nextBoolean() ? 1 + random.nextInt(3) : 4 * (1 + random.nextInt(4));
        double decay = random.nextInt(10) == 0 ? 0 : random.nextInt(3) == 0 ? 5 : random.nextDouble();
        return job(
                id,
                model,
                2_000 + random.nextInt(38_000),
                worker,
                server,
                worker.plus(server).times(pairs),
                8 << random.nextInt(2),
                utility(1 + random.nextInt(100), decay, 3600.0 * (1 + random.nextInt(15))));
    }

    /** The job as it runs with so many tasks on a node. */
    static JobView running(JobView job, String node, int workers, int servers) {
        List<RunningTask> tasks = new java.util.ArrayList<>();
        for (int i = 0; i < workers + servers; i++) {
            TaskGroup group = job.group(i < workers ? "worker" : "ps");
            tasks.add(new RunningTask(job.id() + "#" + i, group.name(), node, group.ask(), List.of()));
        }
        return job.withTasks(tasks);
    }
}
