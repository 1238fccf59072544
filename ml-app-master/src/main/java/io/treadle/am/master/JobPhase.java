// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** What a job does. */
enum JobPhase {
    /** The gang has not been complete yet. */
    GATHERING,
    /** Workers are stopped, and started when all wait for the same start. */
    FORMING,
    RUNNING,
    ENDED
}
