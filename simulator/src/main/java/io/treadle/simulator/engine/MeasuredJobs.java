// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.simulator.input.InputException;
import java.util.Collection;
import java.util.LongSummaryStatistics;

/**
 * Which jobs count: all, or those whose ids are numbers from {@code from} to below {@code to}.
 *
 * @param from the first id
 * @param to the first id beyond
 */
public record MeasuredJobs(long from, long to) {
    public static final MeasuredJobs ALL = new MeasuredJobs(Long.MIN_VALUE, Long.MAX_VALUE);

    /** @throws InputException if the text is no range such as {@code 4000:5000} */
    public static MeasuredJobs parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length == 2 && isWhole(parts[0]) && isWhole(parts[1])) {
            MeasuredJobs range = new MeasuredJobs(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
            if (range.from < range.to) {
                return range;
            }
        }
        throw new InputException("--jobs is '" + text + "', must be two rising whole numbers such as 4000:5000.");
    }

    public boolean contains(String id) {
        if (equals(ALL)) {
            return true;
        }
        if (!isWhole(id)) {
            throw new InputException(
                    "--jobs " + from + ":" + to + " needs ids that are whole numbers, the trace has '" + id + "'.");
        }
        long number = Long.parseLong(id);
        return number >= from && number < to;
    }

    /** @throws InputException if none of the jobs counts, or one's id cannot be compared */
    public void check(Collection<String> ids) {
        if (ids.stream().noneMatch(this::contains)) {
            throw new InputException("--jobs is '" + from + ":" + to + "', must name at least one of the trace's "
                    + ids.size() + " jobs, whose ids are " + range(ids) + ".");
        }
    }

    private static String range(Collection<String> ids) {
        LongSummaryStatistics numbers = ids.stream().mapToLong(Long::parseLong).summaryStatistics();
        return numbers.getMin() + " to " + numbers.getMax();
    }

    private static boolean isWhole(String text) {
        return text.matches("[0-9]{1,18}");
    }
}
