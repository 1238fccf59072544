// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

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
        return new Setting(list, Servers.SYNERGY, order, how);
    }

    /** As {@link #words} of another list would be, had it no seed. */
    String words() {
        return order + " " + list.words();
    }

    /** Where all servers are one, under the artifact's rounds: what no placement can be better than in a round. */
    Setting bound() {
        return new Setting(list, Servers.SYNERGY.asOne(), order, Rules.THEIRS);
    }

    Optional<String> known(Rules how, String allocation) {
        return known.stream()
                .filter(figure -> figure.rules() == how && figure.allocation().equals(allocation))
                .map(Known::hours)
                .findFirst();
    }
}
