// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsTrust;
import io.treadle.core.wire.ProfileServers;
import java.util.Locale;
import java.util.Optional;

/** What a profile says of workers and parameter servers, as a table. */
final class ServersText {
    private static final double MS = 1e3;

    private ServersText() {}

    static String of(ProfileServers known) {
        if (known.samples().isEmpty()) {
            return known.model().isPresent() ? String.format(Locale.ROOT, "%nworkers and servers: imported%n") : "";
        }
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT, "%n%8s %8s %14s %10s %14s%n", "workers", "servers", "iteration", "error", "as fitted"));
        Optional<LayeredPsModel> model = known.model().map(PsModels::model);
        for (ProfileServers.Sample sample : known.samples()) {
            table.append(String.format(
                    Locale.ROOT,
                    "%8d %8d %14s %10s %14s%n",
                    sample.workers(),
                    sample.servers(),
                    milliseconds(sample.seconds()),
                    sample.error().isPresent()
                            ? StoredProfile.percent(sample.error().getAsDouble())
                            : "?",
                    model.map(m -> milliseconds(m.iterationSeconds(sample.workers(), sample.servers())))
                            .orElse("")));
        }
        String trust = PsTrust.describe(known);
        return trust.isEmpty() ? table.toString() : table + trust + System.lineSeparator();
    }

    private static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f ms", MS * seconds);
    }
}
