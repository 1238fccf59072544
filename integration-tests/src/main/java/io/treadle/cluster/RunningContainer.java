// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

/**
 * A worker's container as the ResourceManager has it now.
 *
 * @param containerId YARN's id
 * @param node short name of its node
 * @param vcores vcores that it holds
 * @param memoryMiB memory that it holds, MiB
 * @param gpus whole GPUs that it holds
 */
public record RunningContainer(String containerId, String node, int vcores, long memoryMiB, int gpus) {}
