// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.resource.ResourceVector;

/**
 * What a NodeManager offers, and to whom.
 *
 * @param partition its label; empty for none
 */
public record NodeKind(String partition, ResourceVector capacity) {}
