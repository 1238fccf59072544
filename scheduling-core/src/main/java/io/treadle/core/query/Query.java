// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

/**
 * A query of a workflow.
 *
 * @param id unique
 * @param rank of the workflow's tasks
 * @param ingress the worker that it came to; {@link #OUTSIDE} where it came to none
 */
public record Query(String id, WorkflowGraph graph, UpwardRank rank, int ingress) {
    /** Its input is on no worker. */
    public static final int OUTSIDE = -1;
}
