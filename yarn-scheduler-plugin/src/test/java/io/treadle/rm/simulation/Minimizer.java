// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Leaves out events of a scenario that fails, as long as the same rule stays broken: first halves of the list, then ever
 * smaller parts (delta debugging).
 */
final class Minimizer {
    private final String rule;
    private int runsLeft;

    private Minimizer(String rule, int runs) {
        this.rule = rule;
        this.runsLeft = runs;
    }

    /** @param runs how many simulations it may run */
    static Scenario minimize(Scenario scenario, Simulation.Failure failure, int runs) {
        return new Minimizer(failure.rule(), runs).minimize(scenario, failure);
    }

    private Scenario minimize(Scenario scenario, Simulation.Failure failure) {
        List<Event> events = scenario.events()
                .subList(0, Math.min(failure.event() + 1, scenario.events().size()));
        for (int part = Math.max(1, events.size() / 2); runsLeft > 0; ) {
            int before = events.size();
            for (int from = events.size() - part; from > -part && runsLeft > 0; from -= part) {
                List<Event> fewer = without(events, Math.max(0, from), Math.max(0, from + part));
                if (fewer.size() < events.size() && fails(scenario.with(fewer))) {
                    events = fewer;
                }
            }
            if (part == 1 && events.size() == before) {
                break;
            }
            part = Math.max(1, Math.min(part / 2, events.size() / 2));
        }
        return scenario.with(events);
    }

    private static List<Event> without(List<Event> events, int from, int to) {
        List<Event> fewer = new ArrayList<>(events.subList(0, Math.min(from, events.size())));
        fewer.addAll(events.subList(Math.min(to, events.size()), events.size()));
        return fewer;
    }

    private boolean fails(Scenario scenario) {
        runsLeft--;
        Optional<Simulation.Failure> failure = Simulation.run(scenario);
        return failure.isPresent() && failure.get().rule().equals(rule);
    }
}
