// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An ask of which nothing is granted counts after three seconds, for half a minute, and again ten minutes later. */
class StandingAsksTest {
    private static final ApplicationAttemptId ATTEMPT =
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
    private static final SchedulerRequestKey KEY = new SchedulerRequestKey(Priority.newInstance(1), 0, null);

    /**
     * One look a second.
     *
     * @param counts of the containers that are asked for, one digit a look; {@code -} where there is no ask
     * @param newest of the application's containers, one digit a look
     * @param counted whether the ask counts in each look, 0 or 1
     */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "222222, 111111, 000111",
        // Some of it is granted.
        "222111111, 111111111, 000000111",
        "987654321, 111111111, 000000000",
        // Some was granted, and as much is asked for again.
        "222222222, 111222222, 000000111",
        "222222222, 123456789, 000000000",
        // A container has ended.
        "222222, 221111, 000111",
        // More is asked for, and nothing is granted.
        "123456, 111111, 000111",
        // It was away for a look.
        "22-2222, 11-1111, 00-0001",
        "2222-222, 1111-111, 0001-000",
    })
    void asLongAsNothingIsGranted(String counts, String newest, String counted) {
        StandingAsks asks = new StandingAsks();
        StringBuilder found = new StringBuilder();
        for (int second = 0; second < counts.length(); second++) {
            asks.lookBegins();
            char count = counts.charAt(second);
            if (count == '-') {
                found.append(count);
            } else {
                boolean is = asks.counts(ATTEMPT, KEY, count - '0', newest.charAt(second) - '0', second * 1_000L);
                found.append(is ? 1 : 0);
            }
        }
        assertEquals(counted, found.toString());
    }

    @Test
    void forHalfAMinuteOfTen() {
        StandingAsks asks = new StandingAsks();
        List<Long> counted = new ArrayList<>();
        for (long second = 0; second < 3_600; second++) {
            asks.lookBegins();
            if (asks.counts(ATTEMPT, KEY, 1, 1, second * 1_000)) {
                counted.add(second);
            }
        }
        assertEquals(3, counted.get(0));
        assertEquals(6 * 30 + 5 * 3, counted.size());
        assertTrue(counted.stream().allMatch(second -> second % 600 < 33), counted::toString);
    }
}
