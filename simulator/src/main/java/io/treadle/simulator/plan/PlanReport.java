// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

/**
 * What a person reads of a plan.
 *
 * @param text for a terminal
 * @param isFound whether there is something that meets the goals
 */
public record PlanReport(String text, boolean isFound) {}
