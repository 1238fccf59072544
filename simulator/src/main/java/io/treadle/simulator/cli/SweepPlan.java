// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.ClusterSize;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.replay.PolicyRuns;
import io.treadle.simulator.replay.Replay;
import io.treadle.simulator.report.SweepSubject;
import io.treadle.simulator.sweep.DrawnLists;
import io.treadle.simulator.sweep.Sweep;
import io.treadle.simulator.sweep.SweepPoint;
import io.treadle.simulator.trace.Experiment;
import io.treadle.simulator.trace.Traces;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A sweep of which all names and values have been found right.
 *
 * @param out the directory of the results
 * @param points in the order of the results
 * @param policies in the order of the results
 * @param pages whether each point gets its own report
 * @param lists where the jobs are drawn for each seed
 * @param first the point of the smallest cluster, read
 */
record SweepPlan(
        Path out,
        List<SweepPoint> points,
        List<String> policies,
        boolean pages,
        Optional<DrawnLists> lists,
        Replay first) {

    /**
     * Checks what was asked for, and draws lists where they are to be drawn.
     *
     * @param isWorker whether somebody else has drawn them
     * @throws InputException if something cannot be used
     */
    static SweepPlan of(SweepArguments arguments, boolean isWorker) {
        Path out = Path.of(arguments.required("out", "DIR").text());
        arguments.required("policy", "P");
        boolean pages = Values.onOff(
                "--report", arguments.one("report").map(Given::text).orElse("off"));
        Optional<DrawnLists> lists = SweepJobs.drawn(arguments, out);
        SweepArguments complete =
                lists.isPresent() ? arguments.or("seed", String.valueOf(Experiment.DEFAULT.seed())) : arguments;
        List<SweepPoint> points = new SweepPoints(complete, lists).all();
        SweepPoint smallest = points.stream()
                .min(Comparator.comparingInt(point -> point.nodes().orElse(0)))
                .orElseThrow();
        if (lists.isPresent()) {
            if (!isWorker) {
                lists.get().draw(seeds(points), sized(smallest));
            }
        } else {
            checkSeeds(arguments, points);
        }
        Replay first = smallest.request().read();
        arguments.all("policy").forEach(policy -> check(first, smallest, policy, arguments.one("placement")));
        List<String> policies =
                arguments.all("policy").stream().map(Given::text).distinct().toList();
        return new SweepPlan(out, points, policies, pages, lists, first);
    }

    /** What is wrong is the policy, or the placement that it is to work with. */
    private static void check(Replay first, SweepPoint point, Given policy, Optional<Given> placement) {
        try {
            PolicyRuns.check(first, point.options(), List.of(policy.text()));
        } catch (InputException e) {
            throw String.valueOf(e.getMessage()).startsWith("policy")
                    ? policy.located(e)
                    : placement.orElse(policy).located(e);
        }
    }

    private static List<Long> seeds(List<SweepPoint> points) {
        return points.stream()
                .flatMap(point -> point.seed().stream().boxed())
                .distinct()
                .toList();
    }

    private static SimCluster sized(SweepPoint point) {
        SimCluster named = ClusterReader.read(point.request().cluster());
        return point.nodes().isPresent() ? ClusterSize.of(named, point.nodes().getAsInt()) : named;
    }

    /** Several seeds that change nothing would look like a certainty that there is not. */
    private static void checkSeeds(SweepArguments arguments, List<SweepPoint> points) {
        List<Given> seeds = arguments.all("seed");
        if (seeds.size() > 1
                && !Traces.isRandom(
                        points.get(0).request().format(),
                        points.get(0).request().trace())) {
            throw seeds.get(1)
                    .located(new InputException("--seed is '"
                            + seeds.stream().map(Given::text).collect(Collectors.joining(","))
                            + "', must be left out or one: nothing is random in this trace, so all seeds would give"
                            + " the same.\nMaybe draw another list for each seed: --like philly --jobs 20000 instead"
                            + " of --trace."));
        }
    }

    Sweep sweep() {
        return new Sweep(out, points, policies, pages);
    }

    /** In a few lines, what is going to be done. */
    String heading(int threads) {
        int runs = points.size() * policies.size();
        return String.format(
                Locale.ROOT,
                "%,d points, each under %s: %,d simulations, up to %d at a time%nthe first: %s%n%s",
                points.size(),
                policies.size() == 1 ? "1 policy" : policies.size() + " policies",
                runs,
                Math.min(runs, threads),
                first.heading(),
                LoadTable.of(first.offered()));
    }

    /** What the report is about. */
    SweepSubject subject() {
        SweepPoint point = points.get(0);
        String jobs = lists.map(drawn -> String.format(
                        Locale.ROOT, "%,d jobs like those of %s, drawn for each seed", drawn.jobs(), drawn.like()))
                .orElseGet(() -> String.valueOf(point.request().trace().getFileName()));
        return new SweepSubject(
                jobs,
                ClusterReader.read(point.request().cluster()).name(),
                point.options().words(),
                pages);
    }
}
