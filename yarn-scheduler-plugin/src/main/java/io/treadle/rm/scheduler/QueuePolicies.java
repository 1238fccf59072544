// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.policy.Policy;

/** The policy that a leaf queue's settings name now. */
@FunctionalInterface
interface QueuePolicies {
    Policy of(String queuePath);
}
