// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.servers;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.core.model.ps.PsSize;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.Scripts;
import java.nio.file.Path;

/** The job that trains with parameter servers, and the guest for whom it makes way. */
public final class ServersJobs {
    public static final String POLICY = "smd";
    static final int EPOCHS = 340;
    /** Scripts, by their modules' names. */
    private static final String WORKER = "digits_ps";

    static final String SERVER = "parameter_server";
    /** Three workers and a server, or two of both, but not three and two. */
    static final int CAP_VCORES = 8;

    public static final int BATCH = 480;
    /** So large that a third worker makes it faster by more than a measurement's error. */
    private static final int DEMO_BATCH = 720;
    /** Training images of scikit-learn's digits. */
    private static final int SAMPLES_AN_EPOCH = 1437;

    private ServersJobs() {}

    /**
     * Which numbers of workers and servers the job may have, and for how long it trains.
     *
     * @param workerVcores what a worker holds
     * @param serverVcores what a server holds
     * @param capVcores the most that all its tasks may hold; 0 for no more than those numbers come to
     * @param batch of all workers together
     */
    public record Size(
            PsSize least, PsSize most, int workerVcores, int serverVcores, int capVcores, int batch, int epochs) {
        /** Servers hold as much as workers, so that a third worker makes it faster. */
        static final Size DEMO = new Size(new PsSize(2, 1), new PsSize(3, 2), 2, 2, CAP_VCORES, DEMO_BATCH, EPOCHS);

        private String cap() {
            return capVcores == 0 ? "" : "cap: {vcores: " + capVcores + "}";
        }

        /** A job of one size is to have that, and its servers what they ask for. */
        private String profiling() {
            return least.equals(most) ? "profiling: {enabled: false}" : "";
        }
    }

    /**
     * @param scripts where its scripts are put
     * @param result file to which worker 0 writes the test accuracy
     */
    public static JobSpec training(String python, Path scripts, Path checkpoints, Path result, Size size) {
        String command = "exec nice -n 5 " + python + " -B -m ";
        return JobSpecParser.fromYaml(
                "digits-ps.yaml",
                """
                name: digits-ps
                queue: %s
                totalSamples: %d
                checkpointDir: %s
                files: ['%s', '%s', '%s']
                appMaster: {memory: 512Mi}
                utility: {weight: 10}
                %s
                %s
                tasks:
                  worker: {count: %d, min: %d, joins: true, vcores: %d, memory: 640Mi, command: "%s --epochs %d --batch %d --result '%s'"}
                  ps: {count: %d, min: %d, vcores: %d, memory: 640Mi, command: "%s"}
                """
                        .formatted(
                                DemoCluster.queueOf(POLICY),
                                (long) size.epochs() * SAMPLES_AN_EPOCH,
                                checkpoints.toUri(),
                                Scripts.extract(WORKER + ".py", scripts).toUri(),
                                Scripts.extract(SERVER + ".py", scripts).toUri(),
                                Scripts.extract("digits_ddp.py", scripts).toUri(),
                                size.cap(),
                                size.profiling(),
                                size.most().workers(),
                                size.least().workers(),
                                size.workerVcores(),
                                command + WORKER,
                                size.epochs(),
                                size.batch(),
                                result,
                                size.most().servers(),
                                size.least().servers(),
                                size.serverVcores(),
                                command + SERVER));
    }

    /** Worth so much that others make way for it. */
    static JobSpec guest(int vcores, int seconds) {
        return JobSpecParser.fromYaml(
                "guest.yaml",
                """
                name: guest
                queue: %s
                appMaster: {memory: 512Mi}
                utility: {weight: 1000, decayPerHour: 5, targetHours: 0.1}
                tasks:
                  worker: {count: 1, vcores: %d, memory: 256Mi, command: "exec sleep %d"}
                """
                        .formatted(DemoCluster.queueOf(POLICY), vcores, seconds));
    }
}
