// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.yarn;

/**
 * A container as the ResourceManager gave it, maybe of another size than was asked for.
 *
 * @param host the node's host
 * @param nodeHttpAddress {@code host:port} of the node's web pages, for links to logs
 * @param requestId which ask it answers: the task group's index plus one
 * @param version of the container's token; grows with every resize
 */
public record GrantedContainer(
        String id, String host, String nodeHttpAddress, int requestId, long vcores, long memoryMiB, int version) {}
