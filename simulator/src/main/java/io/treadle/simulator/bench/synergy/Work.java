// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Work of Synergy's experiments on its 128 GPUs.
 *
 * @param order in which jobs are served
 * @param rules under which it is simulated, one row each
 * @param known figures of the artifact
 */
record Work(String order, JobList list, List<Rules> rules, List<Known> known) {
    Work {
        rules = List.copyOf(rules);
        known = List.copyOf(known);
    }

    Setting setting(Rules how) {
        return new Setting(list, how == Rules.BOUND ? Servers.SYNERGY.asOne() : Servers.SYNERGY, order, how);
    }

    /** Where an allocation is simulated under these rules: ours chooses places itself, whatever a rule says of them. */
    Setting setting(Rules how, String allocation) {
        return setting(how == Rules.THEIRS_WHOLE && allocation.equals(Allocations.BALANCED) ? Rules.THEIRS : how);
    }

    /** What is simulated of it under these rules. */
    List<String> allocations(Rules how, boolean thorough) {
        List<String> chosen = new ArrayList<>(Allocations.MAIN);
        switch (how) {
            case BOUND -> {
                return List.of(Allocations.OPT);
            }
            case THEIRS_WHOLE -> {
                return List.of(Allocations.PROPORTIONAL, Allocations.TUNE);
            }
            case THEIRS -> {
                if (thorough || known(how, Allocations.GREEDY).isPresent()) {
                    chosen.add(Allocations.GREEDY);
                }
            }
            case OURS -> {
                boolean isCrowded = order.equals("fifo")
                        && (list.jobsPerHour() == 9 || !list.gpus().equals(JobList.SINGLE));
                if (thorough || isCrowded) {
                    chosen.add(Allocations.OPT);
                }
                if (thorough) {
                    chosen.add(Allocations.GREEDY);
                }
            }
            default -> {
                return Allocations.MAIN;
            }
        }
        return chosen;
    }

    /** As {@link #words} of another list would be, had it no seed. */
    String words() {
        return order + " " + list.words();
    }

    Optional<String> known(Rules how, String allocation) {
        return known.stream()
                .filter(figure -> figure.rules() == how && figure.allocation().equals(allocation))
                .map(Known::hours)
                .findFirst();
    }
}
