// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.text.PlainText;
import java.util.Optional;

/**
 * What a job's ApplicationMaster serves as {@code status.json}. Fields that it does not say are empty or 0.
 *
 * @param state such as {@code gathering} (it waits for its gang), {@code starting} or {@code running}
 * @param samples samples done
 * @param totalSamples samples that the job needs; 0 where unknown
 * @param samplesPerSecond speed of the whole job now
 * @param workers workers that run
 * @param resizes resizes in place so far
 * @param energy what its GPUs spend, one line for people; empty where no node says
 * @param note what it is doing, one line for people
 * @param json the whole record as it came
 */
public record MasterStatus(
        String state,
        long samples,
        long totalSamples,
        double samplesPerSecond,
        int workers,
        int resizes,
        String energy,
        String note,
        String json) {
    private static final String GATHERING = "gathering";
    private static final String STARTING = "starting";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Whether the job has its ApplicationMaster, but not yet its gang. */
    boolean isWaiting() {
        return state.equals(GATHERING);
    }

    /** Whether the job's workers run, or have run. */
    boolean hasWorkers() {
        return !isWaiting() && !state.equals(STARTING);
    }

    /** Empty for a text that is no such record: a proxy's error page, for example. */
    static Optional<MasterStatus> parse(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            if (node == null || !node.isObject() || !node.path("state").isTextual()) {
                return Optional.empty();
            }
            return Optional.of(new MasterStatus(
                    PlainText.line(node.path("state").textValue()),
                    node.path("samples").asLong(0),
                    node.path("totalSamples").asLong(0),
                    node.path("samplesPerSecond").asDouble(0),
                    node.path("workers").size(),
                    node.path("resizes").size(),
                    PlainText.line(node.path("energy").path("text").asText("")),
                    PlainText.line(node.path("note").asText("")),
                    MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node)));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
