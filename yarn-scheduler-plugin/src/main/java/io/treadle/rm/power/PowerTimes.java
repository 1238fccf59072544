// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments in sentences. */
final class PowerTimes {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private PowerTimes() {}

    /** @param ms since the epoch */
    static String text(long ms) {
        return FORMAT.format(Instant.ofEpochMilli(ms));
    }
}
