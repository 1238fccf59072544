// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

/** A worker that is there, as those see it who keep its container. */
interface Link {
    /** Whether it can be reached. */
    boolean isConnected();

    /** Whether it can do its work. */
    boolean isFit();

    /** It gets nothing new from now on. */
    void retire();

    /** Whether nothing needs it any more. */
    boolean isIdle();

    /** What it has is given up. */
    void close();
}
