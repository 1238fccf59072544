// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import com.google.common.collect.ImmutableSet;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a job really ended, in the three classes into which Helios' authors sort what clusters say (SC 2021, §2.3). */
public enum EndState {
    COMPLETED("completed", "pass", "success", "succeeded", "finished"),
    /** By itself, at its time limit, or because its node did. */
    FAILED("failed", "fail", "failure", "timeout", "node_fail", "boot_fail", "out_of_memory", "deadline"),
    /** By its owner or the cluster. */
    KILLED("killed", "cancelled", "canceled", "stopped", "preempted", "revoked");

    private final String text;
    private final ImmutableSet<String> words;

    EndState(String... words) {
        this.text = words[0];
        this.words = ImmutableSet.copyOf(words);
    }

    /** Empty for a word that no cluster is known to use, such as that of a job which still runs. */
    static Optional<EndState> of(String word) {
        // Slurm says by whom: CANCELLED by 1001.
        String first = word.strip().toLowerCase(Locale.ROOT).split(" ", 2)[0];
        return Arrays.stream(values())
                .filter(state -> state.words.contains(first))
                .findFirst();
    }

    /** As our own traces have it. */
    public String text() {
        return text;
    }

    static String all() {
        return Arrays.stream(values()).map(EndState::text).collect(Collectors.joining(", "));
    }
}
