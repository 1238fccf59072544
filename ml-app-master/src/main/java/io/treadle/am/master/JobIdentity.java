// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/**
 * Which job this is.
 *
 * @param attempt of the ApplicationMaster, from 1
 * @param user who submitted it
 * @param checkpointDir directory or URI on shared storage
 * @param gpuModel model of the GPUs that the job names; empty for any or none
 */
record JobIdentity(String applicationId, int attempt, String user, String checkpointDir, String gpuModel) {}
