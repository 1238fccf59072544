// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** The {@code reason} in the scheduler's record of a job. */
final class JobReason {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JobReason() {}

    /** Empty if the text is no such record, or has no reason. */
    static Optional<String> parse(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node == null
                    ? Optional.empty()
                    : Optional.ofNullable(node.path("reason").textValue()).filter(reason -> !reason.isBlank());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
