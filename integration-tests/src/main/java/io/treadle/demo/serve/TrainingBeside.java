// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.client.JobStatus;
import io.treadle.am.client.MasterStatus;
import io.treadle.am.client.TreadleClient;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoException;
import io.treadle.demo.DemoJob;
import io.treadle.demo.JobSpecs;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.demo.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** A job that trains in the same cluster for as long as services are asked. */
final class TrainingBeside {
    private static final long RUNNING_SECONDS = 120;
    private static final long POLL_MS = 250;
    /** 50 samples a second: it would train for months. */
    private static final long ENDLESS = 1L << 30;

    /** Next to nothing of the cores, which services are to have: nearly all of a step is the GPU's, a sleep. */
    private static final CpuShare SHARE = new CpuShare(0.1);

    private static final Work WORK = new Work("bert-like", 0.1, 80, 4);

    private final TreadleClient client;
    private final ApplicationId id;

    private TrainingBeside(TreadleClient client, ApplicationId id) {
        this.client = client;
        this.id = id;
    }

    /** @param scripts where its script is put */
    static TrainingBeside submit(TreadleClient client, Path scripts) {
        JobSpecs specs = new JobSpecs(Python.interpreter(), Scripts.extract("trainer.py", scripts), SHARE);
        DemoJob job = new DemoJob(WORK.modelTag(), WORK, 1, 1, 1, List.of(), ENDLESS, 0);
        return new TrainingBeside(client, client.submit(specs.of(job, ServeCluster.TRAINING, false)));
    }

    ApplicationId id() {
        return id;
    }

    /** @throws DemoException if it ends, or takes far too long */
    void awaitTraining() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RUNNING_SECONDS);
        while (samples() == 0) {
            JobStatus status = client.status(id);
            if (status.isOver() || System.nanoTime() > deadline) {
                throw new DemoException("the job beside the services does not train: " + status.state() + " "
                        + status.diagnostics() + "\nMaybe the machine is busy with something else.");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** That it has trained so far; 0 where it does not say. */
    long samples() throws InterruptedException {
        return MasterWords.of(client, id).map(MasterStatus::samples).orElse(0L);
    }

    boolean isRunning() {
        return client.status(id).state() == YarnApplicationState.RUNNING;
    }
}
