// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

/**
 * A workflow and how it is asked.
 *
 * @param weight how often it is asked, beside the others' weights
 * @param answer what it makes of a number, that number times this
 */
record BenchWorkflow(String name, double weight, double answer) {}
