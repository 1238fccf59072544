// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.RunningContainer;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.demo.JobSpecs;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.demo.StatusReader;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A running cluster and what is needed to run jobs on it and to look at them. */
final class LiveRuns implements AutoCloseable {
    private static final long TICK_MS = 100;
    private static final double LIMIT_SECONDS = 120;

    final EmbeddedCluster cluster;
    final ApplicationViews views;
    final ClientLauncher launcher;
    final JobSpecs specs;
    final StatusReader statuses;

    LiveRuns(EmbeddedCluster cluster, CpuShare share) {
        this.cluster = cluster;
        this.views = new ApplicationViews(cluster);
        this.statuses = new StatusReader(cluster.workDirectory().resolve("history"));
        this.specs = new JobSpecs(
                Python.interpreter(),
                Scripts.extract("trainer.py", cluster.workDirectory().resolve("scripts")),
                share);
        this.launcher = new ClientLauncher(cluster.configuration());
    }

    ApplicationId submit(DemoJob job, String queue, boolean profiled) {
        return launcher.submit(specs.of(job, queue, profiled));
    }

    /** The only worker of a job. */
    RunningContainer awaitWorker(ApplicationId id) throws InterruptedException {
        await("the worker of " + id, () -> !look(id).workers().isEmpty());
        return views.of(id).workers().get(0);
    }

    /**
     * The application now.
     *
     * @throws DemoException if it has ended, which none does by itself here
     */
    ApplicationView look(ApplicationId id) {
        ApplicationView view = views.of(id);
        if (view.ended()) {
            throw new DemoException("job " + id + " ended as " + view.finalStatus() + ": " + view.diagnostics());
        }
        return view;
    }

    /** Looks ten times a second. */
    static void await(String what, Supplier<Boolean> is) throws InterruptedException {
        long deadline = System.nanoTime() + (long) (LIMIT_SECONDS * 1e9);
        while (!is.get()) {
            if (System.nanoTime() > deadline) {
                throw new DemoException("waited " + Math.round(LIMIT_SECONDS) + " s for " + what
                        + ".\nMaybe the machine is busy with something else.");
            }
            Thread.sleep(TICK_MS);
        }
    }

    @Override
    public void close() {
        launcher.close();
    }
}
