// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.core.plan.Certificate;

/**
 * How near the choice of the jobs of a queue comes to the best.
 *
 * @param queue path of the leaf queue
 * @param partition node label of the nodes that the jobs may use; empty for those without one
 */
public record QueueAdmission(String queue, String partition, Certificate certificate) {
    /** One line with numbers, for a person. */
    public String text() {
        return queue + (partition.isEmpty() ? "" : ", nodes of label " + partition) + ": " + certificate.text();
    }
}
