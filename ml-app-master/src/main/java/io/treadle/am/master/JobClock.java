// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

/** Time, injected. */
interface JobClock {
    /** Wall-clock time, ms since the epoch. */
    long wallMs();

    /** Seconds of a clock that never goes back. */
    double seconds();

    JobClock SYSTEM = new JobClock() {
        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }

        @Override
        public double seconds() {
            return System.nanoTime() / 1e9;
        }
    };
}
