// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.power.ClusterDraw;
import io.treadle.rm.power.PowerReport;
import io.treadle.rm.scheduler.PlannerHealth;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A cluster of nodes with 8 GPUs each, all held by tasks with one GPU, for tests of what its pages cost. */
final class BigCluster {
    static final int GPUS = 8;
    static final long NOW = 1_767_225_600_000L;
    /** Of a planner with which nothing is wrong. */
    static final PlannerHealth.Report CALM = new PlannerHealth.Report("", 0, false, 0, "");

    private final List<StatusReport.Node> nodes = new ArrayList<>();
    private final List<PowerReport.Node> drawing = new ArrayList<>();
    private final List<StatusReport.Job> jobs = new ArrayList<>();
    /** How often a task of a job was looked at. */
    private final AtomicLong looks = new AtomicLong();

    /** @param jobCount how many jobs hold all GPUs, each as many as the others */
    BigCluster(int nodeCount, int jobCount) {
        int tasks = nodeCount * GPUS / jobCount;
        for (int j = 0; j < jobCount; j++) {
            List<StatusReport.Task> held = new ArrayList<>();
            for (int t = 0; t < tasks; t++) {
                int gpu = j * tasks + t;
                held.add(new StatusReport.Task(
                        container(gpu),
                        "worker",
                        node(gpu / GPUS),
                        "node" + gpu / GPUS + ".example.org:8042",
                        ResourceVector.of(1, 4 + gpu % 20, 32_768 + gpu),
                        List.of(uuid(gpu)),
                        "http://node" + gpu / GPUS + ".example.org:8042/node/containerlogs/" + container(gpu)
                                + "/ada"));
            }
            jobs.add(job(j + 1, tasks, held));
        }
        for (int n = 0; n < nodeCount; n++) {
            List<NodeRecord.Device> devices = new ArrayList<>();
            for (int g = 0; g < GPUS; g++) {
                int gpu = n * GPUS + g;
                devices.add(new NodeRecord.Device(
                        uuid(gpu),
                        g,
                        "A100-SXM4-80GB",
                        81_920,
                        false,
                        NodeRecord.Health.OK,
                        240 + gpu % 100,
                        400,
                        93,
                        60_000,
                        55,
                        3_600_000L * gpu,
                        List.of(container(gpu))));
            }
            nodes.add(new StatusReport.Node(
                    node(n),
                    "node" + n + ".example.org:8042",
                    "/rack" + n / 32,
                    ResourceVector.of(GPUS, 96, 1_048_576),
                    ResourceVector.of(GPUS, 64, 524_288),
                    ResourceVector.of(0, n % 10 == 0 ? 8 : 0, 0),
                    devices,
                    n % 100 == 99 ? 20_000 : 0));
            drawing.add(new PowerReport.Node(
                    node(n),
                    3200,
                    "rapl",
                    devices.stream().map(d -> new PowerReport.Gpu(d, 400)).toList()));
        }
    }

    private StatusReport.Job job(int number, int members, List<StatusReport.Task> tasks) {
        GangSpec spec = new GangSpec(
                List.of(new GangSpec.Group("worker", members, members, ResourceVector.of(1, 4, 32_768), List.of())),
                "resnet-50",
                0,
                false,
                0,
                "");
        Gang gang = new Gang(
                ApplicationId.newInstance(1_767_225_000_000L, number),
                spec,
                "root.team" + number % 20,
                "",
                "user" + number % 50,
                "training " + number,
                NOW - number * 1000L);
        gang.explain(Gang.State.RUNNING, "has 1 GPU, 4 vcores, 32768 MiB for each task, all that it can use");
        return new StatusReport.Job(gang, members, new Watched<>(tasks, looks), Optional.empty(), Optional.empty());
    }

    /** Counts how often its elements are looked at. */
    private static final class Watched<T> extends AbstractList<T> {
        private final List<T> elements;
        private final AtomicLong looks;

        Watched(List<T> elements, AtomicLong looks) {
            this.elements = elements;
            this.looks = looks;
        }

        @Override
        public T get(int index) {
            looks.incrementAndGet();
            return elements.get(index);
        }

        @Override
        public int size() {
            return elements.size();
        }
    }

    private static String node(int number) {
        return "node" + number + ".example.org:45454";
    }

    private static String uuid(int gpu) {
        return String.format("GPU-%08x-7c6a-4f0e-9b1d-%012x", gpu, gpu);
    }

    private static String container(int gpu) {
        return String.format("container_e17_1767225000000_%04d_01_%06d", 1 + gpu / 1000, 2 + gpu % 1000);
    }

    List<StatusReport.Job> jobs() {
        return jobs;
    }

    List<StatusReport.Node> nodes() {
        return nodes;
    }

    long looks() {
        return looks.get();
    }

    ClusterView view() {
        return view(CALM);
    }

    ClusterView view(PlannerHealth.Report planner) {
        List<StatusReport.Queue> queues = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            queues.add(new StatusReport.Queue(
                    "root.team" + i,
                    ResourceVector.of(400, 3200, 26_214_400),
                    ResourceVector.of(400, 4800, 52_428_800),
                    ResourceVector.of(8000, 96_000, 1_048_576_000),
                    0,
                    jobs.size() / 20));
        }
        PowerReport power = new PowerReport(
                ClusterDraw.NOTHING,
                OptionalDouble.empty(),
                Optional.empty(),
                List.of(),
                7.2e9,
                0,
                drawing,
                List.of(),
                true,
                List.of(),
                Map.of(),
                List.of(),
                List.of());
        return new ClusterView(
                jobs,
                jobs.size(),
                0,
                List.of(),
                queues,
                nodes,
                new JobHistories(),
                queue -> "srtf+synergy-balanced",
                id -> "ended",
                List.of(),
                planner,
                power,
                user -> true,
                NOW);
    }
}
