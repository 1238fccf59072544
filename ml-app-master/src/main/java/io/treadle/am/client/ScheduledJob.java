// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.core.text.PlainText;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job as the scheduler's record has it ({@code docs/spec/rm-rest.md}).
 *
 * @param state such as {@code waiting} or {@code running}; empty where the record does not say
 * @param reason why it waits or has what it has, one line for people; empty where the scheduler does not say
 * @param startMs when it starts if nothing else arrives, ms since the epoch; empty where that is unknown
 * @param samplesPerSecond what its ApplicationMaster reported last; empty before it has reported
 * @param note what it is doing, one line for people; empty before its ApplicationMaster has reported
 */
record ScheduledJob(String state, String reason, Optional<Long> startMs, OptionalDouble samplesPerSecond, String note) {
    static final String WAITING = "waiting";

    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter LATER = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    static ScheduledJob of(JsonNode json) {
        JsonNode start = json.path("startMs");
        JsonNode speed = json.path("samplesPerSecond");
        return new ScheduledJob(
                PlainText.line(json.path("state").asText("")),
                json.path("reason").asText("").strip(),
                start.isIntegralNumber() ? Optional.of(start.longValue()) : Optional.empty(),
                speed.isNumber() ? OptionalDouble.of(speed.doubleValue()) : OptionalDouble.empty(),
                PlainText.line(json.path("note").asText("")));
    }

    /**
     * When it starts, on a clock, if nothing else arrives; empty where that is unknown, and where that time has passed.
     *
     * @param now where the reader is
     */
    Optional<String> start(ZonedDateTime now) {
        return startMs.filter(ms -> ms >= now.toInstant().toEpochMilli()).map(ms -> {
            ZonedDateTime start = Instant.ofEpochMilli(ms).atZone(now.getZone());
            boolean isToday = start.toLocalDate().equals(now.toLocalDate());
            return "Starts about " + start.format(isToday ? TODAY : LATER) + " if nothing else arrives.";
        });
    }
}
