// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.resource.ResourceVector;

/**
 * Containers that somebody waits for.
 *
 * @param partition of the nodes that they may be on
 * @param size of each
 * @param blocked whether their queue may hold them only once it has more nodes to have a share of
 */
public record Need(String partition, ResourceVector size, long count, boolean blocked) {}
