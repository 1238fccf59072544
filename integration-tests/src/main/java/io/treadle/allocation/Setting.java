// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

/**
 * A cluster that is measured.
 *
 * @param treadle whether TreadleScheduler runs it; else CapacityScheduler
 * @param asynchronous whether scheduling is asynchronous
 * @param nodes how many, of 128 vcores and 256 GiB; 200 of them, or half where that is less, have 8 GPUs too
 * @param applications plain ones, that ask for the containers that are counted
 * @param gangs jobs of 8 workers, each with an eighth of such a node, whole; under CapacityScheduler plain applications that
 *     ask for the same
 * @param types how many of the {@link BenchSettings#TYPES types of resources} YARN knows beside memory and vcores
 */
record Setting(boolean treadle, boolean asynchronous, int nodes, int applications, int gangs, int types) {}
