// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.processes.TrainingJob.Size;
import io.treadle.processes.TrainingJob.Worker;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Waits for a job's containers to be resized, and for everybody to say the same of them. */
final class JobSizes {
    static final int ASKED_VCORES = 2;
    /** More than a job that has grown leaves of the node that both need. */
    private static final int PEER_VCORES = 4;

    /** Vcores of the ApplicationMasters of both. */
    private static final int MASTERS = 2;

    private JobSizes() {}

    /** Waits until the job is profiled and the scheduler has given its workers more than they asked for. */
    static Map<String, Size> awaitGrown(TrainingJob job) {
        awaitRunning(job, "growth of the job's containers", () -> {
            return "running".equals(job.view().orElseThrow().path("state").asText())
                    && job.view().orElseThrow().path("profile").size() > 1
                    && job.sizesAtTheResourceManager().values().stream().allMatch(s -> s.vcores() > ASKED_VCORES);
        });
        return awaitAgreement(job);
    }

    static void awaitRunning(TrainingJob job, String what, Callable<Boolean> condition) {
        try {
            Await.until(what, () -> {
                job.checkRunning();
                return condition.call();
            });
        } catch (AssertionError e) {
            // Why it waits is what the scheduler says of it; its logs go with the cluster.
            throw new AssertionError(e.getMessage() + "; the job is now: " + job.describe(), e);
        }
    }

    /** Waits until ResourceManager and NodeManagers say the same of the job's containers, and its workers follow. */
    static Map<String, Size> awaitAgreement(TrainingJob job) {
        return Await.value("agreement on the containers' sizes", () -> {
            job.checkRunning();
            Map<String, Size> sizes = job.sizesAtTheResourceManager();
            boolean agreed = sizes.size() == TrainingJob.WORKERS && sizes.equals(job.sizesAtTheWorkers());
            return agreed && job.vcoresInUse().equals(vcores(sizes))
                    ? java.util.Optional.of(sizes)
                    : java.util.Optional.empty();
        });
    }

    /**
     * Another job comes to the same nodes, and goes again: the sizes change, and everybody knows.
     *
     * @param agreed is told of the sizes each time that everybody knows them
     */
    static void resizeByAnotherJob(
            ProcessCluster cluster, TrainingJob job, String name, Consumer<Map<String, Size>> agreed) throws Exception {
        // On a busy machine the job may be at its share for long before it has what it can use: then both fit as they
        // are.
        awaitRunning(
                job,
                "growth to what leaves the other too little",
                () -> total(job.sizesAtTheWorkers()) > ProcessCluster.NODE_VCORES - PEER_VCORES - MASTERS);
        long before = total(job.sizesAtTheWorkers());
        TrainingJob peer = TrainingJob.submit(cluster, name, PEER_VCORES, false);
        peer.awaitTraining();
        awaitRunning(job, "shrinking of the job's containers", () -> total(job.sizesAtTheWorkers()) < before);
        Map<String, Size> small = awaitAgreement(job);
        agreed.accept(small);
        assertEquals(0, peer.finish(), peer::tail);
        awaitRunning(job, "growth of the job's containers", () -> total(job.sizesAtTheWorkers()) > total(small));
        agreed.accept(awaitAgreement(job));
    }

    private static Map<String, Long> vcores(Map<String, Size> sizes) {
        Map<String, Long> vcores = new TreeMap<>();
        sizes.forEach((container, size) -> vcores.put(container, size.vcores()));
        return vcores;
    }

    private static long total(Map<String, Size> sizes) {
        return sizes.values().stream().mapToLong(Size::vcores).sum();
    }

    /** By container, the devices in its resources.json. */
    static Map<String, JsonNode> devices(List<Worker> workers) throws IOException {
        Map<String, JsonNode> devices = new TreeMap<>();
        for (Worker worker : workers) {
            JsonNode held = TrainingJob.resources(worker).path("devices");
            assertEquals(1, held.size(), held::toString);
            assertEquals(worker.devices(), held.get(0).path("uuid").asText());
            devices.put(worker.container(), held);
        }
        return devices;
    }
}
