// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.time.Duration;
import java.util.List;

/**
 * Numbers of commands to workers, which obey none twice: each is larger than all before it, those of an earlier
 * ApplicationMaster as well, whose host may have been ahead of time. Guarded by the {@link JobMaster}.
 */
final class CommandNumbers {
    /** Clocks of a cluster do not differ by more; who answers such a number has not got it from us. */
    private static final long MOST_AHEAD_MS = Duration.ofDays(1).toMillis();

    private final JobClock clock;
    private long last;
    private boolean news;

    CommandNumbers(JobClock clock) {
        this.clock = clock;
    }

    /** The last one that an earlier ApplicationMaster has given. */
    void restore(long given) {
        last = given < clock.wallMs() + MOST_AHEAD_MS ? given : 0;
    }

    long last() {
        return last;
    }

    /** Whether one was given since the last call: the next ApplicationMaster has to know of it. */
    boolean takeNews() {
        boolean was = news;
        news = false;
        return was;
    }

    /** @param members who may have answered earlier ones */
    long next(List<Member> members) {
        long now = clock.wallMs();
        long answered = members.stream()
                .mapToLong(member -> member.answeredCommand)
                .filter(number -> number < now + MOST_AHEAD_MS)
                .max()
                .orElse(0);
        last = Math.max(now, Math.max(last, answered) + 1);
        news = true;
        return last;
    }
}
