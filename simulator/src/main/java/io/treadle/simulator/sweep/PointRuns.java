// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.sweep;

import io.treadle.simulator.replay.PolicyRuns;
import io.treadle.simulator.replay.Watcher;
import io.treadle.simulator.result.FinishedPolicies;
import io.treadle.simulator.result.Summary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The policies at one point; several may run at the same time. */
final class PointRuns {
    private final SweepPoint point;
    private final Path directory;
    private final List<String> policies;
    private final boolean pages;
    private final Set<String> left;
    private @Nullable PolicyRuns runs;

    PointRuns(SweepPoint point, Path directory, List<String> policies, boolean pages) {
        this.point = point;
        this.directory = directory;
        this.policies = List.copyOf(policies);
        this.pages = pages;
        left = new HashSet<>(policies);
    }

    SweepPoint point() {
        return point;
    }

    List<String> policies() {
        return policies;
    }

    /** How many policies an earlier sweep has done, and what came of them where it has done all. */
    record Before(int done, Optional<List<Summary>> all) {}

    Before before() {
        FinishedPolicies finished = PolicyRuns.finished(directory, point.request(), point.options());
        List<Summary> found = new ArrayList<>();
        policies.forEach(policy -> finished.find(policy).ifPresent(found::add));
        boolean isWhole = found.size() == policies.size()
                && Files.exists(directory.resolve("summary.json"))
                && (!pages || Files.exists(directory.resolve("report.html")));
        return new Before(found.size(), isWhole ? Optional.of(found) : Optional.empty());
    }

    /** Runs one policy, unless that is done and need not be done again; the results of the point are whole after the last. */
    Optional<List<Summary>> run(String policy, boolean again, SharedReplays replays, SweepWatcher watcher) {
        runs(replays).runAhead(policy, pages, again, watcher.run());
        return isLast(policy) ? Optional.of(finish(replays)) : Optional.empty();
    }

    private synchronized boolean isLast(String policy) {
        left.remove(policy);
        return left.isEmpty();
    }

    private List<Summary> finish(SharedReplays replays) {
        List<Summary> summaries = runs(replays).run(policies, pages, false);
        letGo();
        return summaries;
    }

    private synchronized void letGo() {
        runs = null;
    }

    private synchronized PolicyRuns runs(SharedReplays replays) {
        PolicyRuns made = runs;
        if (made == null) {
            made = new PolicyRuns(directory, replays.replay(point), point.options(), Watcher.NONE);
            runs = made;
        }
        return made;
    }
}
