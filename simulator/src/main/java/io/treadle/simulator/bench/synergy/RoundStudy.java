// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.ChildJvm;
import io.treadle.simulator.bench.Compared;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What a round of decisions costs, each cluster in a JVM of its own. */
final class RoundStudy {
    /** There from the start, and half of it for what a round leaves behind. */
    private static final List<String> HEAP = List.of("-Xms2g", "-Xmx2g", "-Xmn1g");

    private record Timed(RoundCase work, RoundCosts costs) {}

    private final List<Timed> timed = new ArrayList<>();

    /**
     * Times them.
     *
     * @param directory for what is drawn
     * @param progress is told each as it is known
     */
    RoundStudy(List<RoundCase> cases, Path directory, Consumer<String> progress) {
        for (RoundCase work : cases) {
            progress.accept("timing a round: " + work.name() + ", " + work.allocation());
            RoundCosts costs = ChildJvm.ask(
                    RoundProbe.class,
                    work.request(directory),
                    RoundCosts.class,
                    HEAP,
                    "timing a round of " + work.name());
            timed.add(new Timed(work, costs));
        }
    }

    Section section() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "round",
                "allocation",
                "all anew",
                "p99",
                "as they run",
                "p99",
                "rounds",
                "below the bound",
                "Synergy's"));
        for (Timed one : timed) {
            RoundCost anew = one.costs().anew();
            RoundCost steady = one.costs().steady();
            rows.add(List.of(
                    one.work().name(),
                    one.work().allocation(),
                    ms(anew.medianMs()),
                    ms(anew.p99Ms()),
                    ms(steady.medianMs()),
                    ms(steady.p99Ms()),
                    String.format(Locale.ROOT, "%,d", steady.rounds()),
                    one.costs().missed() < 0
                            ? "–"
                            : String.format(
                                    Locale.ROOT, "%.2f %%", 100 * one.costs().missed()),
                    one.work().theirsMs() == 0 ? "–" : ms(one.work().theirsMs())));
        }
        return new Section(
                "rounds",
                "What a round costs",
                "Medians of many rounds on the same snapshot, in a warm JVM with one processor and 2 GB of heap,"
                        + " half of it for new objects. All anew: the cluster is"
                        + " empty and all jobs wait. As they run: all run that found room, one in a hundred has ended and"
                        + " others wait. Below the bound: how much faster all jobs that start anew together could be at most, if CPU and"
                        + " memory of all servers were in one heap. Synergy's: its synergy-tune in plain Python, and the two"
                        + " linear programs of its OPT by HiGHS, on another machine.",
                rows,
                List.of());
    }

    /** Those of which others are known: theirs place all jobs anew in each round. */
    List<Compared> compared() {
        return timed.stream()
                .filter(one -> one.work().theirsMs() > 0)
                .map(one -> Compared.least(
                        "a round, all anew: " + one.work().name() + ", "
                                + one.work().allocation(),
                        one.costs().anew().medianMs(),
                        one.work().theirsMs(),
                        "ms"))
                .toList();
    }

    private static String ms(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f ms" : "%.0f ms", value);
    }
}
