// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * What a job's GPUs spend.
 *
 * @param joules of all its containers since they hold their GPUs, J
 * @param watts draw now, W; 0 where it cannot be told
 * @param joulesPerSample at the present draw and speed, J; 0 where it cannot be told
 * @param capWatts limit in force on each GPU, of several the lowest, W; 0 where unknown
 * @param defaultCapWatts limit of each GPU without a cap, W; 0 where unknown
 */
public record JobEnergy(double joules, double watts, double joulesPerSample, double capWatts, double defaultCapWatts) {
    void writeTo(ObjectNode json) {
        json.put("joules", joules)
                .put("watts", watts)
                .put("joulesPerSample", joulesPerSample)
                .put("capWatts", capWatts)
                .put("defaultCapWatts", defaultCapWatts)
                .put("text", describe());
    }

    /** One line for people: {@code 12.3 kJ (3.1 J per sample), 214 W, cap 250 W per GPU}. */
    public String describe() {
        return joules(joules)
                + (joulesPerSample > 0 ? " (" + joules(joulesPerSample) + " per sample)" : "")
                + (watts > 0 ? String.format(Locale.ROOT, ", %.0f W", watts) : "")
                + (capWatts > 0 ? String.format(Locale.ROOT, ", cap %.0f W per GPU", capWatts) : "");
    }

    private static String joules(double joules) {
        return joules >= 1e6
                ? String.format(Locale.ROOT, "%.1f MJ", joules / 1e6)
                : joules >= 1e3
                        ? String.format(Locale.ROOT, "%.1f kJ", joules / 1e3)
                        : joules >= 1
                                ? String.format(Locale.ROOT, "%.1f J", joules)
                                : String.format(Locale.ROOT, "%.1f mJ", joules * 1e3);
    }
}
