// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.input.InputException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalReaderTest {
    @ParameterizedTest
    @CsvSource({
        "p95 wait < 2h, P95, WAIT, 7200",
        "mean jct<90s, MEAN, JCT, 90",
        "' max wait  <  1.5 min ', MAX, WAIT, 90",
        "p50 jct < 3d, P50, JCT, 259200",
        "p99 slowdown < 2.5, P99, SLOWDOWN, 2.5",
    })
    void statisticsOfJobs(String text, Statistic statistic, Measure measure, double bound) {
        assertEquals(
                new Goal(Optional.empty(), Optional.of(statistic), measure, bound, text.strip()),
                GoalReader.read(text));
    }

    @Test
    void figuresOfTheCluster() {
        Goal use = GoalReader.read("utilization > 70%");
        assertEquals(new Goal(Optional.empty(), Optional.empty(), Measure.UTILIZATION, .7, "utilization > 70%"), use);
        assertTrue(use.holds(.71));
        assertFalse(use.holds(.7), "above means above");
        Goal span = GoalReader.read("makespan < 3d");
        assertEquals(3 * 86_400, span.bound());
        assertFalse(span.holds(3 * 86_400), "below means below");
    }

    @Test
    void queuesMayHaveAnyName() {
        assertEquals(
                Optional.of("a b: c"),
                GoalReader.read("queue a b: c : p95 wait < 1h").queue());
        assertEquals(
                Optional.of("max wait"),
                GoalReader.read("queue max wait: mean jct < 1h").queue());
    }

    /** The column is that of the first character that is wrong, from 1. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p95 wiat < 2h | 5: is 'wiat', must be wait, jct or slowdown",
                "p96 wait < 2h | 1: is 'p96', must be mean, p50",
                "wait < 2h | 1: is 'wait', must be mean, p50, p95, p99 or max, and then wait",
                "p95 wait > 2h | 10: is '>', must be <",
                "p95 wait <= 2h | 10: is '<=', must be <",
                "p95 wait 2h | 10: is '2h', must be <",
                "p95 wait < | 11: ends, must be a time",
                "p95 wait < 2 | 13: ends, must be s, min, h or d",
                "p95 wait < 2hours | 13: is 'hours', must be s, min, h or d",
                "p95 wait < -2h | 12: is '-2h', must be a time",
                "p95 wait < 0s | 12: is '0s', must be above 0",
                "p95 wait < 2h or so | 15: is 'or so', must be the end",
                "mean slowdown < 3h | 18: is 'h', must be nothing more",
                "utilization < 70% | 13: is '<', must be >",
                "utilization > 0.7 | 18: ends, must be %",
                "utilization > 100% | 15: is '100', must be below 100%",
                "mean makespan < 3d | 6: is 'makespan', must be wait, jct or slowdown",
                "queue prod: utilization > 3% | 13: is 'utilization', must be wait, jct or slowdown: a queue",
                "queue prod p95 wait < 2h | 1: is 'queue', must be mean",
            })
    void tellsTheColumnOfTheFault(String text, String why) {
        InputException wrong = assertThrows(InputException.class, () -> GoalReader.read(text));
        assertTrue(String.valueOf(wrong.getMessage()).contains("column " + why), wrong::getMessage);
    }
}
