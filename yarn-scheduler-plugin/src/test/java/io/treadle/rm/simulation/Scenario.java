// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A cluster and what happens to it, all of it from one seed. */
record Scenario(long seed, Setting setting, List<Event> events) {
    private static final int EVENTS = 160;
    private static final int MOST_APPLICATIONS = 12;
    private static final List<String> USERS = List.of("alice", "bob");

    static Scenario from(long seed) {
        // Seeds that follow each other begin alike.
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        Setting setting = Setting.from(random);
        List<Event> events = new ArrayList<>();
        int applications = 0;
        while (events.size() < EVENTS) {
            if (applications < MOST_APPLICATIONS && random.nextInt(applications < 4 ? 4 : 16) == 0) {
                Job job = job(applications++, random);
                events.add(new Event.Submit(job));
                if (job.isGang() && random.nextInt(3) == 0) {
                    events.addAll(lossBeforeDelivery(job.number(), random.nextInt(SimulatedCluster.NODES)));
                }
            } else {
                events.add(event(random, setting, Math.max(1, applications)));
            }
        }
        return new Scenario(seed, setting, List.copyOf(events));
    }

    /** The same cluster, and other events. */
    Scenario with(List<Event> others) {
        return new Scenario(seed, setting, List.copyOf(others));
    }

    /** The same without gangs, on nodes that do not say which GPUs they have: Treadle has nothing to do there. */
    Scenario withoutGangs() {
        return new Scenario(
                seed,
                setting.withoutDevices(),
                events.stream()
                        .filter(event -> !(event instanceof Event.Submit submit
                                && submit.job().isGang()))
                        .toList());
    }

    private static Job job(int number, Random random) {
        String user = USERS.get(random.nextInt(USERS.size()));
        int kind = random.nextInt(10);
        if (kind < 6) {
            return new Job(
                    number,
                    Job.Kind.GANG,
                    random.nextInt(3) == 0 ? "research" : "ml",
                    user,
                    1 + random.nextInt(5),
                    // YARN rounds most of these sizes up.
                    ResourceVector.of(random.nextInt(3), 1 + random.nextInt(3), 300 + random.nextInt(1_500)),
                    2 + random.nextInt(10));
        }
        String queue = kind == 9 ? "ml" : "plain";
        ResourceVector size =
                ResourceVector.of(random.nextInt(4) == 0 ? 1 : 0, 1 + random.nextInt(2), 300 + random.nextInt(900));
        return kind == 6
                ? new Job(number, Job.Kind.FLOOD, queue, user, 40, size, 2 + random.nextInt(8))
                : new Job(number, Job.Kind.PLAIN, queue, user, 1 + random.nextInt(10), size, 2 + random.nextInt(8));
    }

    /** A node that is lost between the grant of a gang and the heartbeat of its ApplicationMaster is rare by chance. */
    private static List<Event> lossBeforeDelivery(int application, int node) {
        return List.of(
                new Event.Everybody(),
                new Event.Everybody(),
                new Event.Everybody(),
                new Event.Lose(node),
                new Event.MasterBeat(application, true),
                new Event.Join(node),
                new Event.NodeBeat(node));
    }

    private static Event event(Random random, Setting setting, int applications) {
        int application = random.nextInt(applications);
        int node = random.nextInt(SimulatedCluster.NODES);
        int dice = random.nextInt(1_000);
        if (dice < 250) {
            return new Event.MasterBeat(application, random.nextInt(20) > 0);
        }
        if (dice < 430) {
            return new Event.NodeBeat(node);
        }
        if (dice < 550) {
            return new Event.Round();
        }
        if (dice < 700) {
            return setting.asynchronous()
                    ? random.nextBoolean() ? new Event.Propose(node) : new Event.Commit(random.nextInt(8))
                    : new Event.Everybody();
        }
        if (dice < 760) {
            return new Event.Everybody();
        }
        if (dice < 800) {
            return new Event.Pass(100L << random.nextInt(6));
        }
        if (dice < 860) {
            return setting.preempts() ? new Event.Preempt() : new Event.Everybody();
        }
        return rare(random, application, node);
    }

    private static Event rare(Random random, int application, int node) {
        return switch (random.nextInt(16)) {
            case 0, 1 -> new Event.Lose(node);
            case 2, 3 -> new Event.Join(node);
            case 4 -> new Event.TurnDevice(node, random.nextInt(2));
            case 5 -> new Event.Relabel(node, random.nextInt(3) == 0 ? "x" : "");
            case 6 -> new Event.Refresh(30 + 20 * random.nextInt(3), random.nextBoolean() ? 80 : 100);
            case 7 -> new Event.Kill(application);
            case 8 -> new Event.Crash(application);
            case 9, 10 -> new Event.Resize(application, random.nextInt(5), random.nextBoolean());
            case 11 -> random.nextBoolean() ? new Event.RecordsGo() : new Event.RecordsComeBack();
            case 12 -> new Event.PoliciesFail(random.nextInt(3) == 0);
            case 13 -> new Event.NodeManagerRestarts(node);
            case 14 -> new Event.GiveUp(node);
            default ->
                switch (random.nextInt(3)) {
                    case 0 -> new Event.Restart();
                    case 1 -> new Event.Move(application, node % 2 == 0 ? "research" : "ml");
                    default -> new Event.Round();
                };
        };
    }
}
