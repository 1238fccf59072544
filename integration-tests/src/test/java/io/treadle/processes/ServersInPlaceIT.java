// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpecParser;
import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.cluster.RunningContainer;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A parameter server that uses all its vcores gets more of what is idle while it runs, and gives them back when another job
 * comes; nothing is started again.
 */
class ServersInPlaceIT {
    private static final Logger LOG = LoggerFactory.getLogger(ServersInPlaceIT.class);
    private static final String POLICY = "smd";
    /** One for each task of the job and its ApplicationMaster, and five more. */
    private static final int VCORES = 8;

    private static JobSpec job(String fields, String tasks) {
        return JobSpecParser.fromYaml(
                "job.yaml",
                """
                queue: %s
                appMaster: {memory: 512Mi}
                %s
                tasks:
                %s
                """
                        .formatted(DemoCluster.queueOf(POLICY), fields, tasks));
    }

    private static Map<String, Integer> vcores(ApplicationView view) {
        return view.workers().stream()
                .collect(Collectors.toMap(RunningContainer::containerId, RunningContainer::vcores));
    }

    private static void await(String what, ApplicationViews views, ApplicationId id, int vcores) {
        Await.until(what, () -> {
            ApplicationView view = views.of(id);
            if (view.ended()) {
                throw new Await.HopelessException(view.diagnostics());
            }
            return view.vcores() == vcores;
        });
        LOG.info("{}: {}, {}", what, views.of(id).workers(), views.of(id).diagnostics());
    }

    @Test
    void growWhereVcoresAreIdleAndMakeRoomForAnotherJob() throws Exception {
        Path work;
        try (EmbeddedCluster cluster = DemoCluster.start(
                List.of(new NodeShape("n1", 4096, VCORES, List.of())),
                List.of(POLICY),
                new CpuShare(0.05),
                starting -> {},
                Map.of("yarn.scheduler.treadle.smd.interval-ms", "1000"))) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            ApplicationViews views = new ApplicationViews(cluster);
            try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
                String run = "{count: 1, vcores: 1, memory: 128Mi, command: 'exec " + Python.interpreter()
                        + " -B -m busy_server ";
                ApplicationId id = launcher.submit(job(
                        "name: busy\ntotalSamples: 1000000\nfiles: ['"
                                + Scripts.extract("busy_server.py", work.resolve("scripts"))
                                        .toUri()
                                + "']",
                        "  worker: " + run + "worker'}\n  ps: " + run + "ps'}"));
                await("what it asks for", views, id, 2);
                Map<String, Integer> asked = vcores(views.of(id));
                await("a server of two vcores", views, id, 3);
                Await.until(
                        "why",
                        () -> views.of(id).diagnostics().endsWith("; its servers have 1 vcore more, of what is idle"));
                ApplicationId other = launcher.submit(
                        job("name: other", "  worker: {count: 1, vcores: 4, memory: 64Mi, command: 'exec sleep 600'}"));
                await("room for another job", views, id, 2);
                await("another job in it", views, other, 4);
                assertEquals(asked, vcores(views.of(id)), "the same containers");
                assertTrue(
                        views.of(id).diagnostics().startsWith("has "),
                        views.of(id).diagnostics());
                launcher.kill(other);
                launcher.kill(id);
            }
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
    }
}
