// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.core.job.TaskGroup;
import io.treadle.simulator.input.Row;
import java.util.List;
import java.util.Set;

/** Columns of our own format that say how many tasks a job needs and can use, and how its speed grows with them. */
final class ElasticColumns {
    private static final int MOST_TASKS = 100_000;
    private static final String LEAST = "min_tasks";
    private static final String MOST = "max_tasks";
    private static final String SCALING = "scaling";

    private ElasticColumns() {}

    static boolean areIn(Row row) {
        return row.optional(LEAST).isPresent() || row.optional(MOST).isPresent();
    }

    /**
     * The job's tasks.
     *
     * @param gpuColumn the column of its GPUs
     * @param gpus those of all tasks that it needs
     * @param models those of which its GPUs may be; none for any
     */
    static List<TaskGroup> groups(Row row, String gpuColumn, long gpus, Set<String> models, Shapes shapes) {
        int least = row.optional(LEAST).isEmpty() ? 1 : (int) row.whole(LEAST, 1, MOST_TASKS);
        int most = row.optional(MOST).isEmpty() ? least : (int) row.whole(MOST, least, MOST_TASKS);
        if (gpus % least != 0) {
            throw row.wrong(gpuColumn, row.text(gpuColumn), "a multiple of the job's least tasks, " + least);
        }
        return shapes.elastic(least, most, gpus / least, models)
                .orElseThrow(() -> row.wrong(
                        gpuColumn,
                        row.text(gpuColumn),
                        "as many as " + least + (least == 1 ? " node of" : " nodes of") + " the cluster have at most"));
    }

    static Work work(Row row, double seconds) {
        Work work = Work.ofSeconds(seconds);
        return row.optional(SCALING).isEmpty() ? work : work.scaling(row.number(SCALING, 0, 1));
    }
}
