// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class DeviceCellTest {
    private static StatusReport.Job job(String name, int number, long gpus, List<String> devices) {
        GangSpec spec = new GangSpec(
                List.of(new GangSpec.Group("worker", 1, 1, ResourceVector.of(gpus, 1, 512), List.of())),
                "",
                0,
                false,
                0,
                "");
        Gang gang = new Gang(ApplicationId.newInstance(1, number), spec, "root.ml", "", "ada", name, 0);
        StatusReport.Task task = new StatusReport.Task(
                "c" + number, "worker", "n:1", "n:2", ResourceVector.of(gpus, 1, 512), devices, "http://n:2/c");
        return new StatusReport.Job(gang, 1, List.of(task), Optional.empty(), Optional.empty());
    }

    private static NodeRecord.Device device(NodeRecord.Health health, String... containers) {
        return new NodeRecord.Device(
                "GPU-1", 3, "A100", 40960, true, health, 61.4, 400, 0, 0, 30, 0, List.of(containers));
    }

    private static DeviceCell cell(NodeRecord.Device device, StatusReport.Job... jobs) {
        return DeviceCell.of("n:1", device, new DeviceHolders(List.of(jobs), Set.of("n:1")));
    }

    @Test
    void aCellSaysWhoHoldsTheDevice() {
        DeviceCell used = cell(device(NodeRecord.Health.OK, "c7"), job("resnet", 7, 1, List.of("GPU-1")));
        assertEquals("used", used.kind());
        assertEquals("A100, 40,960 MiB, simulated, 61 W, resnet", used.title());
        assertEquals("3", used.text());
        assertEquals(JobColours.of(ApplicationId.newInstance(1, 7)), used.colour());
        // The node chose the device: the scheduler knows only the container.
        assertEquals(
                "used",
                cell(device(NodeRecord.Health.OK, "c7"), job("resnet", 7, 1, List.of()))
                        .kind());
    }

    @Test
    void slicesNameAllTheirJobs() {
        DeviceCell sliced = cell(
                device(NodeRecord.Health.OK, "c1", "c2"),
                job("a", 1, 0, List.of("GPU-1")),
                job("b", 2, 0, List.of("GPU-1")),
                job("c", 3, 1, List.of("GPU-2")));
        assertEquals("sliced", sliced.kind());
        assertEquals(2, sliced.jobs().size());
        assertEquals("A100, 40,960 MiB, simulated, 61 W, slices of a, b", sliced.title());
    }

    @Test
    void lostFreeAndForeignDevicesHaveNoJob() {
        StatusReport.Job job = job("resnet", 7, 1, List.of("GPU-1"));
        assertEquals("lost", cell(device(NodeRecord.Health.LOST, "c7"), job).kind());
        assertEquals("free", cell(device(NodeRecord.Health.OK)).kind());
        DeviceCell other = cell(device(NodeRecord.Health.OK, "c9"));
        assertEquals("other", other.kind());
        assertEquals(List.of(), other.jobs());
    }
}
