// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes argument lists as one shell command line. */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    /** A command line that gives {@code sh} exactly these words. */
    public static String join(List<String> words) {
        return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    private static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
