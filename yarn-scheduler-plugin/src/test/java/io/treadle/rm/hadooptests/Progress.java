// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.time.Duration;
import java.util.List;

/** Where a run stands and about how long it still takes: by what the classes took once, and how this machine compares. */
final class Progress {
    private final List<OwnTest> tests;
    private int done;
    private long listedSeconds;
    private Duration took = Duration.ZERO;

    Progress(List<OwnTest> tests) {
        this.tests = List.copyOf(tests);
    }

    String next() {
        return "[" + (done + 1) + " of " + tests.size() + "] " + tests.get(done).name() + " (about " + minutesLeft()
                + " min left)";
    }

    void took(Duration time) {
        took = took.plus(time);
        listedSeconds += listed(tests.get(done));
        done++;
    }

    long minutesLeft() {
        double pace = done == 0 ? 1 : (double) took.toSeconds() / listedSeconds;
        long left = tests.stream().skip(done).mapToLong(Progress::listed).sum();
        return Math.round(Math.ceil(left * pace / 60));
    }

    /** On both schedulers, with the start of two JVMs. */
    private static long listed(OwnTest test) {
        return 2L * (test.seconds() + 1);
    }
}
