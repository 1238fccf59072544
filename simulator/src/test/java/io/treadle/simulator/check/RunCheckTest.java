// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.job.DeviceShare;
import io.treadle.core.job.TaskGroup;
import io.treadle.core.plan.TaskPlacement;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.cluster.Partition;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.Journal;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A sound run passes; each fault that is planted in its journal is found and named. */
class RunCheckTest {
    private static final SimulationOptions OPTIONS =
            new SimulationOptions(Compat.NONE, "first-fit", false, MeasuredJobs.ALL, 300_000, -1);
    private static final SimCluster CLUSTER = new SimCluster(
            "test", List.of(new Partition("", List.of(node("n0"), node("n1")))), SimCluster.Sharing.NOTHING);

    /**
     * On two nodes with two cards each: {@code a} holds n0 from 0 to 100 s, {@code b} one card of n1 from 0 to 50 s,
     * {@code c} of two tasks waits from 10 to 50 s, then holds n1 to 80 s, {@code d} half a card of n1 from 20 to 30 s.
     */
    private static final List<TraceJob> JOBS = List.of(
            job("a", 0, 100, 1, ResourceVector.of(2, 4, 100)),
            job("b", 0, 50, 1, ResourceVector.of(1, 1, 100)),
            job("c", 10, 30, 2, ResourceVector.of(1, 2, 100)),
            job("d", 20, 10, 1, new ResourceVector(0, 1, 10, 500, 0, 0)));

    private static NodeView node(String name) {
        List<DeviceView> cards = List.of(card(name + "-0"), card(name + "-1"));
        return new NodeView(
                name,
                "",
                new ResourceVector(2, 4, 1000, 2000, 0, 0),
                ResourceVector.ZERO,
                ResourceVector.ZERO,
                cards,
                true);
    }

    private static DeviceView card(String uuid) {
        return new DeviceView(uuid, "T4", 1000, 0, true);
    }

    private static TraceJob job(String id, long submit, double seconds, int tasks, ResourceVector ask) {
        return new TraceJob(
                id,
                "",
                submit * 1000,
                List.of(new TaskGroup("worker", tasks, tasks, ask, Set.of())),
                Work.ofSeconds(seconds),
                Optional.empty(),
                OptionalDouble.empty());
    }

    /** Something that was told: of whom, when, what. */
    private record Event(String what, JobRun job, long atMs, List<TaskPlacement> tasks) {
        Event at(long seconds) {
            return new Event(what, job, seconds * 1000, tasks);
        }

        Event on(List<TaskPlacement> others) {
            return new Event(what, job, atMs, others);
        }

        boolean is(String kind, String id) {
            return what.equals(kind) && job.job().id().equals(id);
        }

        void tell(Journal journal) {
            switch (what) {
                case "came" -> journal.came(job, atMs);
                case "started" -> journal.started(job, atMs, tasks);
                default -> journal.ended(job, atMs);
            }
        }
    }

    private static List<Event> events() {
        List<Event> events = new ArrayList<>();
        Checked.run(new Workload(CLUSTER, JOBS), OPTIONS, "fifo", new Journal() {
            @Override
            public void came(JobRun job, long nowMs) {
                events.add(new Event("came", job, nowMs, List.of()));
            }

            @Override
            public void started(JobRun job, long nowMs, List<TaskPlacement> tasks) {
                events.add(new Event("started", job, nowMs, tasks));
            }

            @Override
            public void ended(JobRun job, long nowMs) {
                events.add(new Event("ended", job, nowMs, List.of()));
            }
        });
        return events;
    }

    private static String check(List<Event> events) {
        RunCheck check = new RunCheck(CLUSTER, new Simulation(CLUSTER, JOBS, OPTIONS).rules("fifo"));
        events.forEach(event -> event.tell(check));
        return check.finish();
    }

    /** What is said of the run in which every event of the kind and job is another, told at its new time. */
    private static String fault(String kind, String job, UnaryOperator<Event> change) {
        List<Event> events = new ArrayList<>(events());
        events.replaceAll(event -> event.is(kind, job) ? change.apply(event) : event);
        return fault(events);
    }

    private static String fault(List<Event> events) {
        events.sort(Comparator.comparingLong(Event::atMs));
        return String.valueOf(
                assertThrows(BrokenRuleException.class, () -> check(events)).getMessage());
    }

    private static List<TaskPlacement> one(
            String node, ResourceVector size, String uuid, long memoryMiB, boolean whole) {
        return List.of(new TaskPlacement("worker", node, size, List.of(new DeviceShare(uuid, memoryMiB, whole))));
    }

    @Test
    void soundRunPassesAndItsNumbersAreTold() {
        // Waits: c 40 s. Runs: 100 + 50 + 30 + 10 s. Over the 100 s from the first submission to the last event.
        assertEquals(
                "checked: 4 jobs at 7 moments; capacity of 2 nodes; no node down; 4 gangs whole; Little's law with"
                        + " 0.40 jobs waiting and 1.90 running on average; work of 4 jobs; nobody waits for room that is"
                        + " there, 0 times tried",
                check(events()));
    }

    @Test
    void sharedFileSystemThatGivesOutMoreThanItHas() {
        SharedStorageCheck check = new SharedStorageCheck(500);
        JobRun job = events().get(0).job();
        List<TaskPlacement> reads =
                List.of(new TaskPlacement("worker", "n0", ResourceVector.ZERO.withStorageMBps(300), List.of()));
        check.took(job, reads);
        check.settled(0);
        check.gaveBack(job, reads);
        check.took(job, reads);
        check.settled(1000);
        assertEquals("at most 300 of 500 MB/s of the shared file system", check.words());
        check.took(job, reads);
        assertEquals(
                "at 2.000 s: the shared file system gives 500 MB/s and jobs hold 600 MB/s.",
                assertThrows(BrokenRuleException.class, () -> check.settled(2000))
                        .getMessage());
    }

    @Test
    void nodeThatGivesOutMoreThanItHas() {
        ResourceVector size = ResourceVector.of(1, 1, 100);
        assertEquals(
                "at 0.000 s: node n0 has 2 GPUs, 2000 MiB of GPU memory, 4 vcores, 1000 MiB and gives out 3 GPUs,"
                        + " 5 vcores, 200 MiB, the last of it to job b.",
                fault("started", "b", event -> event.on(one("n0", size, "n0-0", 1000, true))));
        ResourceVector greedy = ResourceVector.of(1, 5, 100);
        assertTrue(fault("started", "b", event -> event.on(one("n1", greedy, "n1-0", 1000, true)))
                .contains("gives out 1 GPU, 5 vcores"));
        ResourceVector large = ResourceVector.of(1, 1, 1001);
        assertTrue(fault("started", "b", event -> event.on(one("n1", large, "n1-0", 1000, true)))
                .contains("gives out 1 GPU, 1 vcore, 1001 MiB"));
    }

    @Test
    void nodeThatIsDown() {
        RunCheck check = new RunCheck(CLUSTER, new Simulation(CLUSTER, JOBS, OPTIONS).rules("fifo"));
        check.nodeDown("n1", -1000);
        List<Event> events = events();
        assertEquals(
                "at 0.000 s: job b is on node n1, which is down.",
                String.valueOf(assertThrows(BrokenRuleException.class, () -> events.forEach(event -> event.tell(check)))
                        .getMessage()));
    }

    @Test
    void deviceThatIsGivenTwice() {
        ResourceVector slice = new ResourceVector(0, 1, 10, 500, 0, 0);
        assertEquals(
                "at 20.000 s: device n1-0 of node n1 has 1000 MiB and gives out 1500, the last of it to job d.",
                fault("started", "d", event -> event.on(one("n1", slice, "n1-0", 500, false))));
        assertTrue(fault("started", "d", event -> event.on(one("n1", slice, "n0-1", 500, false)))
                .contains("job d holds devices [n0-1], which node n1 has not"));
    }

    @Test
    void gangThatIsNotWhole() {
        assertEquals(
                "at 50.000 s: job c has 1 tasks of group worker, must have 2.",
                fault("started", "c", event -> event.on(event.tasks().subList(0, 1))));
        ResourceVector small = ResourceVector.of(1, 0, 100);
        assertEquals(
                "at 0.000 s: job b holds 1 GPU, 100 MiB on node n1 and asks for 1 GPU, 1 vcore, 100 MiB.",
                fault("started", "b", event -> event.on(one("n1", small, "n1-0", 1000, true))));
    }

    @Test
    void workThatIsNotDoneOrDoneTwice() {
        assertEquals(
                "at 40.000 s: job b ends with 40.000000 s of work at its share done, its work is 50.000000 s.",
                fault("ended", "b", event -> event.at(40)));
        assertTrue(fault("ended", "d", event -> event.at(31)).contains("11.000000 s of work"));
    }

    @Test
    void timesThatDoNotAddUp() {
        // d waits from 20 to 21 s by the journal, and runs from 20 s by its own account. It could not have run in
        // between.
        List<Event> events = new ArrayList<>(events());
        events.replaceAll(event -> event.is("started", "d") || event.is("came", "d")
                ? event.at(21)
                : event.is("ended", "d") ? event.at(31) : event);
        assertEquals(
                "at 100.000 s: Little's law fails: the jobs that wait are 41.000 job-seconds by their number over time"
                        + " and 40.000 by the jobs' own times.",
                fault(events));
    }

    @Test
    void whatWaitsForRoomThatIsThere() {
        List<Event> events = new ArrayList<>(events());
        events.replaceAll(event -> event.is("started", "d") ? event.at(22) : event);
        assertEquals("at 20.000 s: job d waits though there is room for it on [n1].", fault(events));
    }

    @Test
    void startsOfWhatDoesNotWaitAndTimeThatGoesBack() {
        List<Event> twice = events();
        twice.addAll(twice.stream().filter(event -> event.is("ended", "b")).toList());
        assertEquals("at 50.000 s: job b goes to GONE from GONE.", fault(twice));
        List<Event> back = events();
        back.add(back.get(0).at(5));
        assertEquals(
                "at 100.000 s: time went back to 5.0 s.",
                String.valueOf(assertThrows(BrokenRuleException.class, () -> check(back))
                        .getMessage()));
    }
}
