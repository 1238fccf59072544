// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import io.treadle.core.model.energy.Confidence;
import io.treadle.core.wire.ProfileServers;
import java.util.Locale;
import java.util.Optional;

/** How far a fitted job can be relied on at sizes that it never had. */
public final class PsTrust {
    private PsTrust() {}

    /** Empty where nothing was fitted. */
    public static Optional<Confidence> of(ProfileServers known) {
        return known.model().isEmpty() || known.samples().isEmpty()
                ? Optional.empty()
                : Optional.of(PsFit.confidence(
                        known.error().orElse(Double.NaN), known.noise().orElse(Double.NaN)));
    }

    /** For people, with what it follows from; empty where nothing was fitted. */
    public static String describe(ProfileServers known) {
        return of(known)
                .map(confidence -> "Confidence in other sizes: "
                        + confidence.name().toLowerCase(Locale.ROOT) + ". "
                        + tested(known) + noise(known))
                .orElse("");
    }

    private static String tested(ProfileServers known) {
        return known.error().isPresent()
                ? "Each size is foretold from the others with an error of "
                        + percent(known.error().getAsDouble()) + " on average."
                : "No size was measured beyond those that the fit needs, so none has tested it.";
    }

    private static String noise(ProfileServers known) {
        return known.noise().isPresent()
                ? " The measurements' own errors make what is foretold uncertain by "
                        + percent(known.noise().getAsDouble()) + " on average."
                : "";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
