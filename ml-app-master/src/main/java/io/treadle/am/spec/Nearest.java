// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelled one was probably meant to be. */
public final class Nearest {
    private Nearest() {}

    /** The known name that is nearest to {@code given}; empty if none is near. */
    public static Optional<String> of(String given, Collection<String> known) {
        String bare = bare(given);
        return known.stream()
                .filter(name -> near(bare, bare(name)))
                .min(Comparator.<String>comparingInt(name -> distance(bare, bare(name)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static boolean near(String given, String name) {
        return distance(given, name) <= Math.max(1, Math.min(given.length(), name.length()) / 3)
                || (given.length() >= 3 && name.startsWith(given));
    }

    /** Dashes, underscores and case are what people mix up most, so they count as nothing. */
    private static String bare(String name) {
        String shortened = name.length() > 64 ? name.substring(0, 64) : name;
        return shortened.toLowerCase(Locale.ROOT).replaceAll("[-_ .]", "");
    }

    /** Levenshtein distance, by the usual two-row table. */
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
