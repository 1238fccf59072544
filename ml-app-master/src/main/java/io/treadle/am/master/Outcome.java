// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/**
 * How a job ended.
 *
 * @param diagnostics for people; empty on success
 */
record Outcome(boolean succeeded, String diagnostics) {}
