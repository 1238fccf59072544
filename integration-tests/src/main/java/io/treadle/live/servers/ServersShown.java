// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.servers;

import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsTrust;
import io.treadle.core.wire.ProfileServers;
import io.treadle.live.Shown;
import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.bench.Machine;
import io.treadle.simulator.bench.synergy.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result as tables and {@code summary.json}. */
final class ServersShown {
    /** Mean over the sizes that were never measured for the model. */
    static final double MOST_ERROR = 0.15;

    private static final double MS = 1e3;

    private ServersShown() {}

    /** @param judged whether it is enough to miss a goal by */
    static Shown of(Machine machine, ProfileServers known, List<Foretold> unseen, boolean judged) {
        double mean =
                unseen.stream().mapToDouble(f -> Math.abs(f.error())).average().orElse(Double.NaN);
        double worst =
                unseen.stream().mapToDouble(f -> Math.abs(f.error())).max().orElse(Double.NaN);
        String opening = String.format(
                Locale.ROOT,
                "From %d sizes at which the scheduler had it measured while it trained, a real job's iteration is foretold at"
                        + " %d others with an error of %.1f %% on average and %.1f %% at worst.",
                known.samples().size(),
                unseen.size(),
                100 * mean,
                100 * worst);
        List<String> missed = new ArrayList<>();
        if (judged && !(mean <= MOST_ERROR)) {
            missed.add(String.format(
                    Locale.ROOT,
                    "sizes that the job never had are foretold with an error of %.1f %% on average, must be at most 15 %%",
                    100 * mean));
        }
        return new Shown(
                "Workers and parameter servers live",
                opening + " " + PsTrust.describe(known),
                machine,
                List.of(section(known, unseen, opening)),
                List.of(),
                List.of(Compared.least(
                        "live smd: mean error of unseen sizes beside the most of 15 %", mean, MOST_ERROR, "")),
                List.of(),
                missed,
                Map.of(),
                Map.of("sizes.csv", table(known, unseen)));
    }

    private static Section section(ProfileServers known, List<Foretold> unseen, String text) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("size", "", "measured", "by the model", "off by"));
        LayeredPsModel model = PsModels.model(known.model().orElseThrow());
        for (ProfileServers.Sample sample : known.samples()) {
            rows.add(row(
                    sample.workers() + " + " + sample.servers(),
                    "fitted to",
                    sample.seconds(),
                    model.iterationSeconds(sample.workers(), sample.servers())));
        }
        for (Foretold one : unseen) {
            rows.add(row(
                    one.size().workers() + " + " + one.size().servers(), "never had", one.measured(), one.foretold()));
        }
        return new Section("sizes", "Workers + servers", text, rows, List.of());
    }

    private static List<String> row(String size, String kind, double measured, double foretold) {
        return List.of(
                size,
                kind,
                String.format(Locale.ROOT, "%.1f ms", MS * measured),
                String.format(Locale.ROOT, "%.1f ms", MS * foretold),
                String.format(Locale.ROOT, "%+.1f %%", 100 * (foretold / measured - 1)));
    }

    private static String table(ProfileServers known, List<Foretold> unseen) {
        StringBuilder text = new StringBuilder("workers,servers,measuredSeconds,foretoldSeconds,kind\n");
        LayeredPsModel model = PsModels.model(known.model().orElseThrow());
        for (ProfileServers.Sample sample : known.samples()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d,%d,%.6f,%.6f,fitted\n",
                    sample.workers(),
                    sample.servers(),
                    sample.seconds(),
                    model.iterationSeconds(sample.workers(), sample.servers())));
        }
        for (Foretold one : unseen) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d,%d,%.6f,%.6f,unseen\n",
                    one.size().workers(),
                    one.size().servers(),
                    one.measured(),
                    one.foretold()));
        }
        return text.toString();
    }
}
