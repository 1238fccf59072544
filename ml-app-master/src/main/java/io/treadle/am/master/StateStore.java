// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** Keeps what the next ApplicationMaster of the job has to know. */
interface StateStore {
    /** Writes in the background; of several states in short order the last one counts. */
    void save(SavedState state);
}
