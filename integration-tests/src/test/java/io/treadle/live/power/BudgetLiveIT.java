// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.cluster.ApplicationView;
import io.treadle.cluster.ApplicationViews;
import io.treadle.cluster.ContainerProcesses;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeInventory;
import io.treadle.core.wire.NodeRecord;
import io.treadle.demo.ClientLauncher;
import io.treadle.demo.CpuShare;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.DemoJob;
import io.treadle.demo.JobStatus;
import io.treadle.demo.Python;
import io.treadle.demo.Scripts;
import io.treadle.demo.StatusReader;
import io.treadle.processes.Await;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A job under {@code powerflow} is measured while it trains, but for a budget that has no room for that, and grows; as the budget of its queue falls it is capped and
 * gives GPUs up, then it is suspended; as the budget rises it goes on, and it ends with all samples done.
 */
@Tag("alone")
class BudgetLiveIT {
    private static final String POLICY = "powerflow";
    private static final String QUEUE = "root." + DemoCluster.queueOf(POLICY);
    private static final DemoJob JOB = PoweredWork.LANGUAGE.job("language", 4, 240, 0);

    @Test
    void aBudgetThatFallsCapsShrinksAndSuspendsAndOneThatRisesUndoesIt() throws Exception {
        Path work;
        try (EmbeddedCluster cluster = DemoCluster.start(
                PowerNodes.ALL, List.of(POLICY), CpuShare.of(2, 32), starting -> {}, PowerNodes.settings(""))) {
            work = cluster.workDirectory();
            DemoCluster.describe(cluster);
            PoweredSpecs specs =
                    new PoweredSpecs(Python.interpreter(), Scripts.extract("powered.py", work.resolve("scripts")));
            try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
                ApplicationId id = launcher.submit(specs.of(JOB, DemoCluster.queueOf(POLICY), true));
                ApplicationViews views = new ApplicationViews(cluster);
                StatusReader statuses = new StatusReader(work.resolve("history"));
                Await.until("it is measured", () -> draw(cluster) > 0 && isMeasured(statuses, views.of(id)));
                budget(cluster, OptionalDouble.of(100));
                Await.until(
                        "a job that is measured makes way, too",
                        () -> views.of(id).gpus() == 0);
                budget(cluster, OptionalDouble.empty());
                Await.until("measured, it grows", () -> views.of(id).gpus() >= 2);
                Await.until("four GPUs draw more than three of them may", () -> draw(cluster) > 700);

                budget(cluster, OptionalDouble.of(500));
                // Workers that start anew draw little: that alone says nothing of the budget.
                Await.until("its GPUs, capped, draw no more than their queue may", () -> {
                    double watts = draw(cluster);
                    return watts > 0 && watts <= 500 && leastCap(cluster) < PowerNodes.GPU_WATTS;
                });
                assertTrue(views.of(id).gpus() >= 1);

                budget(cluster, OptionalDouble.of(100));
                Await.until("it is suspended", () -> views.of(id).gpus() == 0);
                assertTrue(
                        views.of(id).diagnostics().contains("needs 1 GPU"),
                        views.of(id).diagnostics());

                budget(cluster, OptionalDouble.empty());
                Await.until("it goes on", () -> views.of(id).gpus() >= 2);
                Await.until("it ends", () -> views.of(id).ended());
                assertEquals(FinalApplicationStatus.SUCCEEDED, views.of(id).finalStatus());
                Await.until("its record is written", () -> statuses.record(id).isPresent());
                JobStatus status = statuses.record(id).orElseThrow();
                assertTrue(status.samples() >= JOB.samples(), status.toString());
            }
        }
        assertEquals(List.of(), ContainerProcesses.under(work), "processes left behind");
    }

    private static boolean isMeasured(StatusReader statuses, ApplicationView view) throws InterruptedException {
        return statuses.live(view.trackingUrl())
                .map(status -> status.phase().equals("profiling"))
                .orElse(false);
    }

    /** On a machine with much else to do ZooKeeper is away for moments, in which budgets are refused. */
    private static void budget(EmbeddedCluster cluster, OptionalDouble watts) {
        TreadleScheduler scheduler =
                (TreadleScheduler) cluster.resourceManager().getResourceScheduler();
        Await.until("the queue's budget is " + watts, () -> {
            scheduler.power().budgets().setQueue(QUEUE, Optional.of(watts));
            return true;
        });
    }

    /** Of the GPUs that containers hold, W. */
    private static double draw(EmbeddedCluster cluster) throws Exception {
        return devices(cluster).stream()
                .filter(device -> !device.containers().isEmpty())
                .mapToDouble(NodeRecord.Device::watts)
                .sum();
    }

    private static double leastCap(EmbeddedCluster cluster) throws Exception {
        return devices(cluster).stream()
                .flatMap(device -> device.power().stream())
                .mapToDouble(power -> power.effectiveCapWatts())
                .min()
                .orElseThrow();
    }

    private static List<NodeRecord.Device> devices(EmbeddedCluster cluster) throws Exception {
        return new NodeInventory(cluster)
                .records().values().stream()
                        .flatMap(record -> record.devices().stream())
                        .toList();
    }
}
