// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.engine.MeasuredJobs;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much is simulated.
 *
 * @param jobs of each list
 * @param measured those that count, as in the artifact's experiments; the run ends with them
 * @param isThePapers whether these are the artifact's own numbers, so that its figures must come out
 * @param every one of so many works is taken, the first among them
 * @param thorough whether all is simulated that can be asked, and not only what says most
 * @param rounds that are timed
 */
public record SynergySizes(
        int jobs, MeasuredJobs measured, boolean isThePapers, int every, boolean thorough, List<RoundCase> rounds) {
    /** In minutes. */
    public static final SynergySizes USUAL =
            new SynergySizes(24_000, new MeasuredJobs(4000, 5000), true, 1, false, RoundCase.USUAL);

    /** In more of them. */
    public static final SynergySizes THOROUGH =
            new SynergySizes(24_000, new MeasuredJobs(4000, 5000), true, 1, true, RoundCase.THOROUGH);

    /** A look at all of it in seconds: of its figures none says anything. */
    public static final SynergySizes QUICK =
            new SynergySizes(300, new MeasuredJobs(100, 200), false, 7, false, RoundCase.QUICK);

    public SynergySizes {
        rounds = List.copyOf(rounds);
    }

    <T> List<T> some(List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> i % every == 0)
                .mapToObj(all::get)
                .toList();
    }
}
