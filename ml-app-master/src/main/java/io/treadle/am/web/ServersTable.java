// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsTrust;
import io.treadle.core.wire.ProfileServers;
import java.util.Locale;
import java.util.Optional;

/** What is known of a job's iterations by its numbers of workers and parameter servers, as its page shows it. */
final class ServersTable {
    private static final double MS = 1e3;

    private ServersTable() {}

    static void write(StringBuilder page, ProfileServers known) {
        page.append("<h2>Workers and parameter servers</h2>");
        if (!known.samples().isEmpty()) {
            rows(page, known, known.model().map(PsModels::model));
        }
        known.next()
                .ifPresent(size -> page.append(String.format(
                        Locale.ROOT,
                        "<p class=\"sub\">To be measured next: %d and %d.</p>",
                        size.workers(),
                        size.servers())));
        known.vcores().ifPresent(vcores -> page.append("<p class=\"sub\">Each server can use ")
                .append(vcores)
                .append(" vcores.</p>"));
        String trust = PsTrust.describe(known);
        if (!trust.isEmpty()) {
            page.append("<p class=\"sub\">").append(trust).append("</p>");
        }
    }

    private static void rows(StringBuilder page, ProfileServers known, Optional<LayeredPsModel> model) {
        page.append("<div class=\"scroll\"><table><tr><th>workers</th><th>servers</th><th>iteration, measured</th>"
                + "<th>as fitted</th></tr>");
        for (ProfileServers.Sample sample : known.samples()) {
            page.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%d</td><td>%d</td><td>%s</td><td>%s</td></tr>",
                    sample.workers(),
                    sample.servers(),
                    milliseconds(sample.seconds()) + plusMinus(sample),
                    model.map(m -> milliseconds(m.iterationSeconds(sample.workers(), sample.servers())))
                            .orElse("–")));
        }
        page.append("</table></div>");
    }

    private static String plusMinus(ProfileServers.Sample sample) {
        return sample.error().isPresent()
                ? String.format(Locale.ROOT, " ± %.1f %%", 100 * sample.error().getAsDouble())
                : "";
    }

    private static String milliseconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f ms", MS * seconds);
    }
}
