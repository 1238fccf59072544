// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a scenario and looks at the cluster after every event. */
final class Simulation {
    private static final long EVENT_MS = 150;

    /**
     * What went wrong.
     *
     * @param rule which rule was broken, the same words for the same rule
     * @param event number of the event after which it was, from 0
     */
    record Failure(String rule, String text, int event, Throwable cause) {}

    /** Simulations so far in which somebody waited, and whether he would without Treadle, too, cannot be found out. */
    static final AtomicInteger UNJUDGED = new AtomicInteger();

    private final Scenario scenario;

    private Simulation(Scenario scenario) {
        this.scenario = scenario;
    }

    /** Empty where all went well. */
    static Optional<Failure> run(Scenario scenario) {
        return new Simulation(scenario).run();
    }

    private Optional<Failure> run() {
        int number = 0;
        Optional<Waits.Waiting> unserved;
        try (ErrorsLogged errors = new ErrorsLogged();
                SimulatedCluster cluster = new SimulatedCluster(scenario.setting(), false)) {
            List<Check> checks = List.of(errors, new NodeBooks(), new ApplicationBooks(), new QueueBooks());
            NothingIsLeft rest = new NothingIsLeft(cluster);
            for (Event event : scenario.events()) {
                happen(event, cluster);
                look(checks, cluster);
                number++;
            }
            CalmTime calm = new CalmTime(() -> look(checks, cluster));
            calm.pass(cluster);
            unserved = calm.unserved();
            if (unserved.isPresent() && (standsInItsOwnWay(cluster) || !Yarn.countsUsersRight(cluster))) {
                UNJUDGED.incrementAndGet();
                unserved = Optional.empty();
            }
            rest.end(cluster, () -> look(checks, cluster));
        } catch (Violation e) {
            return Optional.of(new Failure(e.rule(), String.valueOf(e.getMessage()), number, e));
        } catch (Exception | AssertionError | StackOverflowError e) {
            return Optional.of(new Failure("nothing throws: " + e.getClass().getName(), e.toString(), number, e));
        }
        try {
            if (unserved.isPresent() && WithoutTreadle.serves(scenario, unserved.get())) {
                Violation found = new Violation(
                        Waits.RULE,
                        unserved.get().text() + "    CapacityScheduler itself grants it on the same cluster\n");
                return Optional.of(new Failure(Waits.RULE, String.valueOf(found.getMessage()), number, found));
            }
            return Optional.empty();
        } catch (Violation e) {
            return Optional.of(new Failure(e.rule(), String.valueOf(e.getMessage()), number, e));
        } catch (Exception | AssertionError | StackOverflowError e) {
            return Optional.of(new Failure("nothing throws: " + e.getClass().getName(), e.toString(), number, e));
        }
    }

    /** An event, what follows from it at once, and the time until the next. */
    static void happen(Event event, SimulatedCluster cluster) throws Exception {
        event.happen(cluster);
        cluster.drain();
        cluster.time.advance(EVENT_MS);
        cluster.applications().forEach(SimulatedApplication::look);
    }

    /** A ResourceManager that takes the cluster over would not: it knows nothing of reservations. */
    private static boolean standsInItsOwnWay(SimulatedCluster cluster) throws Exception {
        for (SimulatedNode node : cluster.nodes()) {
            if (node.isUp()
                    && cluster.proposals().isPresent()
                    && cluster.proposals().get().refuseThemselves(node.id)) {
                return true;
            }
        }
        return false;
    }

    private static void look(List<Check> checks, SimulatedCluster cluster) throws Exception {
        for (Check check : checks) {
            check.look(cluster);
        }
    }
}
