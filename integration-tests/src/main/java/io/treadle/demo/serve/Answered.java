// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

/**
 * What came of a query.
 *
 * @param arrivalMs when it was to be sent, since the load began, ms
 * @param latencyMs from then until its answer was there, ms: what it waits here, because the machine is busy, counts
 * @param status of HTTP; 0 where there was no answer
 * @param correct whether it was answered, and rightly
 */
public record Answered(double arrivalMs, double latencyMs, String workflow, int status, boolean correct) {
    private static final int OK = 200;

    public boolean succeeded() {
        return status == OK;
    }
}
