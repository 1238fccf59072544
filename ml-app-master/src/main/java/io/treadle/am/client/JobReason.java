// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a job waits or has what it has, as the scheduler's record of it has it.
 *
 * @param text one line, for a person
 * @param startMs when it starts if nothing else arrives, ms since the epoch; empty where nobody knows
 */
public record JobReason(String text, Optional<Long> startMs) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter LATER = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    /** Empty if the text is no such record, or has no reason. */
    static Optional<JobReason> parse(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node == null) {
                return Optional.empty();
            }
            JsonNode start = node.path("startMs");
            return Optional.ofNullable(node.path("reason").textValue())
                    .filter(reason -> !reason.isBlank())
                    .map(reason -> new JobReason(
                            reason, start.isIntegralNumber() ? Optional.of(start.longValue()) : Optional.empty()));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /**
     * When it starts, on a clock, if nothing else arrives; empty where nobody knows, and where that time has passed while the
     * scheduler looked elsewhere.
     *
     * @param now where who reads it is
     */
    Optional<String> start(ZonedDateTime now) {
        return startMs.filter(ms -> ms >= now.toInstant().toEpochMilli()).map(ms -> {
            ZonedDateTime start = Instant.ofEpochMilli(ms).atZone(now.getZone());
            boolean isToday = start.toLocalDate().equals(now.toLocalDate());
            return "Starts about " + start.format(isToday ? TODAY : LATER) + " if nothing else arrives.";
        });
    }
}
