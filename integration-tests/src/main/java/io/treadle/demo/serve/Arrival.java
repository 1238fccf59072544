// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

/**
 * A query to come.
 *
 * @param atMs since the load began, ms
 * @param image which one it asks about
 * @param noiseSeed of the noise that its image comes with, where its workflow is asked with noisy ones
 */
public record Arrival(double atMs, WorkflowMix workflow, int image, long noiseSeed) {}
