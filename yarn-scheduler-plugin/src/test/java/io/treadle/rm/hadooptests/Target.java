// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import java.util.Locale;

/** The scheduler that a run of Hadoop's tests meets. */
enum Target {
    STOCK,
    OURS;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
