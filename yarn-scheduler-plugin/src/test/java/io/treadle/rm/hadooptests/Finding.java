// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

/**
 * A test that does not pass on both.
 *
 * @param test {@code Class.method}, or a class
 * @param text what was seen
 */
record Finding(String test, Verdict verdict, String text) {
    enum Verdict {
        WORSE("worse on ours, and not listed"),
        LISTED("differs, for a reason that is listed"),
        AS_ON_STOCK("fails on stock as well"),
        NOW_AND_THEN("fails now and then"),
        BETTER("fails on stock alone");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }
}
