// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Scenarios that were written by hand, for what is rare among those of seeds. */
final class Occasions {
    /** A task runs to the end of the scenario and beyond. */
    private static final int LONG = 1_000;

    private Occasions() {}

    private static Event submit(int number, Job.Kind kind, String queue, int tasks, ResourceVector size, int beats) {
        return new Event.Submit(new Job(number, kind, queue, "alice", tasks, size, beats));
    }

    private static List<Event> times(int count, Event... events) {
        return Collections.nCopies(count, Arrays.asList(events)).stream()
                .flatMap(List::stream)
                .toList();
    }

    @SafeVarargs
    private static Scenario scenario(Setting setting, List<Event>... parts) {
        List<Event> events = new ArrayList<>();
        for (List<Event> part : parts) {
            events.addAll(part);
        }
        return new Scenario(0, setting, List.copyOf(events));
    }

    /** CapacityScheduler reserves a node for a gang's task while its policy fails; then the policy works again. */
    static Scenario policyFailsForAWhile() {
        return scenario(
                new Setting(false, false, false, "fifo+synergy-tune", true, 70, 100, 10),
                List.of(submit(0, Job.Kind.PLAIN, "plain", 10, ResourceVector.of(0, 3, 512), LONG)),
                times(8, new Event.Everybody()),
                List.of(submit(1, Job.Kind.GANG, "ml", 1, ResourceVector.of(0, 4, 512), LONG)),
                times(4, new Event.Everybody()),
                List.of(new Event.PoliciesFail(true)),
                times(4, new Event.Round()),
                times(4, new Event.Everybody()),
                List.of(new Event.PoliciesFail(false)));
    }

    /** A queue of short tasks is never idle, and holds what the queue of a gang is guaranteed. */
    static Scenario gangBesideFlood(boolean preempts) {
        return scenario(
                new Setting(false, preempts, false, "fifo+synergy-tune", true, 30, 100, 10),
                List.of(
                        preempts
                                ? submit(0, Job.Kind.PLAIN, "plain", 38, ResourceVector.of(0, 1, 1024), LONG)
                                : submit(0, Job.Kind.FLOOD, "plain", 40, ResourceVector.of(0, 1, 1024), 6)),
                times(8, new Event.Everybody()),
                List.of(submit(1, Job.Kind.GANG, "ml", 1, ResourceVector.of(0, 8, 512), LONG)),
                times(8, new Event.Everybody()));
    }

    /** A gang has grown into all vcores; then others ask for larger containers than their queue is guaranteed. */
    static Scenario gangWithAllVcores() {
        return scenario(
                new Setting(false, false, true, "fifo+synergy-tune", true, 10, 100, 10),
                List.of(submit(0, Job.Kind.GANG, "ml", 10, ResourceVector.of(1, 1, 512), LONG)),
                times(12, new Event.Everybody()),
                List.of(submit(1, Job.Kind.PLAIN, "plain", 3, ResourceVector.of(0, 3, 512), LONG)),
                times(8, new Event.Everybody()));
    }

    /** A proposal for a node is committed when the node has registered again, and YARN has new books of it. */
    static Scenario nodeRegistersBeforeTheCommit() {
        return scenario(
                new Setting(true, false, true, "fifo+synergy-tune", true, 70, 100, 10),
                List.of(
                        submit(0, Job.Kind.FLOOD, "plain", 40, ResourceVector.of(0, 2, 373), 6),
                        new Event.Propose(4),
                        new Event.NodeManagerRestarts(4),
                        new Event.NodeBeat(4),
                        new Event.Commit(0)));
    }
}
