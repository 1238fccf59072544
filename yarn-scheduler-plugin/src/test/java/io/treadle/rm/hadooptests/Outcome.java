// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

/** How a test ended. */
enum Outcome {
    PASSED,
    FAILED,
    SKIPPED,
    /** It was still running when the time for its class was over. */
    HUNG,
    /** Its JVM ended while it ran. */
    DIED
}
