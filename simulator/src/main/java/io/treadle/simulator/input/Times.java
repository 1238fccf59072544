// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Points of time as logs write them: {@code 2017-10-03 12:00:00}, with a {@code T} between, a fraction or an offset such
 * as {@code +08:00} or {@code Z}, or seconds since any zero. One without an offset is taken as UTC: only differences
 * count, so that a log in local time is off by an hour where summer time begins or ends.
 */
public final class Times {
    private static final DateTimeFormatter FORMAT = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendLiteral('T')
            .optionalEnd()
            .optionalStart()
            .appendLiteral(' ')
            .optionalEnd()
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .appendOffset("+HH:mm", "Z")
            .optionalEnd()
            .toFormatter(java.util.Locale.ROOT);
    /** What logs write where they know no time. */
    private static final Set<String> NONE = Set.of("", "None", "NONE", "Unknown", "N/A", "null", "NaN", "nan", "NaT");

    private Times() {}

    /** Whether the text says that there is no time. */
    public static boolean isNone(String text) {
        return NONE.contains(text);
    }

    /** Ms; empty for what is no time. */
    public static OptionalLong parseMs(String text) {
        Optional<Double> seconds = Numbers.parse(text);
        if (seconds.isPresent()) {
            return Math.abs(seconds.get()) <= Row.MOST_SECONDS
                    ? OptionalLong.of(Math.round(seconds.get() * 1000))
                    : OptionalLong.empty();
        }
        try {
            TemporalAccessor time = FORMAT.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            OffsetDateTime at = time instanceof OffsetDateTime known
                    ? known
                    : LocalDateTime.from(time).atOffset(ZoneOffset.UTC);
            return OptionalLong.of(at.toInstant().toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
