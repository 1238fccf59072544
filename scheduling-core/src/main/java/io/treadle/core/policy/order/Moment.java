// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.resource.ResourceVector;

/**
 * When and where jobs are ordered.
 *
 * @param nowMs ms on the snapshot's clock
 * @param capacity all that the nodes have together
 */
public record Moment(long nowMs, ResourceVector capacity) {}
