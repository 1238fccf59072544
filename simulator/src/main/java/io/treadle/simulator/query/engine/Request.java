// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.engine;

import io.treadle.core.query.WorkflowGraph;

/**
 * A query that comes.
 *
 * @param id unique among those of a run
 * @param arrivalMs since the run's beginning, 0 or more
 * @param ingress the worker that it comes to; of one that there is not, what is left after dividing by how many there are;
 *     {@link io.treadle.core.query.Query#OUTSIDE} where it comes to none, and its input to each worker over the network
 */
public record Request(String id, WorkflowGraph graph, double arrivalMs, int ingress) {}
