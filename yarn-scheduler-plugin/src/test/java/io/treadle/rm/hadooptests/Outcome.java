// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

/** How a test ended. */
enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
}
