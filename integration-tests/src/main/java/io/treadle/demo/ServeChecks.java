// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import io.treadle.demo.serve.PolicyRun;
import io.treadle.demo.serve.ServeResult;
import io.treadle.demo.serve.ServeRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether the demo of services has shown what it promises.
 *
 * @param lines for people
 * @param good how policies compare does not count: on a busy machine that is noise
 */
record ServeChecks(List<String> lines, boolean good) {
    /** With noisy images and all; a single run of a few hundred queries has a point more or less. */
    static final double LEAST_ACCURACY = 0.93;

    private static final String OURS = "compass";
    private static final String OTHER = "hash";

    ServeChecks {
        lines = List.copyOf(lines);
    }

    static ServeChecks of(ServeRun.Outcome outcome) {
        ServeResult result = outcome.result();
        List<String> lines = new ArrayList<>();
        boolean good = true;
        for (PolicyRun run : result.runs()) {
            int queries = run.answers().size();
            good &= tell(
                    lines,
                    run.failed() == 0,
                    String.format(
                            Locale.ROOT,
                            "%s: %,d of %,d queries answered",
                            run.policy(),
                            queries - run.failed(),
                            queries));
            // A NaN, of no answers, is not enough.
            good &= tell(
                    lines,
                    run.accuracy() >= LEAST_ACCURACY,
                    String.format(
                            Locale.ROOT,
                            "%s: %.1f %% of the answers are right, at least %.0f %% must be",
                            run.policy(),
                            100 * run.accuracy(),
                            100 * LEAST_ACCURACY));
        }
        good &= tell(
                lines,
                outcome.trainedOn(),
                String.format(
                        Locale.ROOT,
                        "%s trained all along, %,d samples while services were asked",
                        outcome.training(),
                        outcome.trained()));
        comparison(result).ifPresent(lines::add);
        return new ServeChecks(lines, good);
    }

    private static Optional<String> comparison(ServeResult result) {
        Optional<PolicyRun> ours = run(result, OURS);
        Optional<PolicyRun> other = run(result, OTHER);
        if (ours.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        double ratio = other.get().meanMs() / ours.get().meanMs();
        return Optional.of(String.format(
                Locale.ROOT,
                "%sa query takes %.2f times as long on average under %s as under %s",
                ratio >= 1 ? " ok    " : " NOT   ",
                ratio,
                OTHER,
                OURS));
    }

    private static Optional<PolicyRun> run(ServeResult result, String policy) {
        return result.runs().stream().filter(run -> run.policy().equals(policy)).findFirst();
    }

    private static boolean tell(List<String> lines, boolean good, String what) {
        lines.add((good ? " ok    " : " NOT   ") + what);
        return good;
    }
}
