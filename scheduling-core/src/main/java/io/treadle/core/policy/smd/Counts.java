// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.smd;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers of workers, or of servers, that are looked at: each of the first few hundred. Beyond them one more or less changes next to
 * nothing, and a job may ask for any number.
 */
final class Counts {
    /** Numbers beyond the least of which each is looked at. */
    private static final int EACH = 512;
    /** Of what is beyond the least, the part by which the next number is larger. */
    private static final int PART = 100;

    private Counts() {}

    /** From the least to the most, both among them. */
    static List<Integer> between(int least, int most) {
        List<Integer> counts = new ArrayList<>();
        long count = least;
        while (count < most) {
            counts.add((int) count);
            long beyond = count - least;
            count += beyond < EACH ? 1 : beyond / PART;
        }
        counts.add(most);
        return counts;
    }
}
