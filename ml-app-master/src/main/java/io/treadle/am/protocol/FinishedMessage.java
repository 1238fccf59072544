// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.wire.ProgressLine;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a worker that its runner did not end.
 *
 * @param epoch the gang start that it belonged to
 * @param exitCode as a shell gives it: above 128 is 128 plus a signal
 * @param ranSeconds from the worker's start to its end
 * @param progressed whether it wrote a progress line
 * @param samples samples done by this worker since the job's first start; -1 where it wrote no progress line
 * @param stopAsked whether it had been told the command {@code stop}: then its end says nothing of its success
 * @param stderrTail the last lines of its stderr
 */
public record FinishedMessage(
        String containerId,
        int epoch,
        int exitCode,
        double ranSeconds,
        boolean progressed,
        long samples,
        boolean stopAsked,
        List<String> stderrTail) {
    public FinishedMessage {
        stderrTail = List.copyOf(stderrTail);
    }

    public String toJson() {
        ObjectNode json = Json.object()
                .put("containerId", containerId)
                .put("epoch", epoch)
                .put("exitCode", exitCode)
                .put("ranSeconds", ranSeconds)
                .put("progressed", progressed)
                .put("samples", samples)
                .put("stopAsked", stopAsked);
        ArrayNode lines = json.putArray("stderrTail");
        stderrTail.forEach(lines::add);
        return json.toString();
    }

    /** @throws io.treadle.core.wire.WireFormatException if the text is no such message */
    public static FinishedMessage fromJson(String text) {
        ObjectNode json = Json.parse("finished message", text);
        List<String> lines = new ArrayList<>();
        for (JsonNode line : json.path("stderrTail")) {
            lines.add(line.asText());
        }
        return new FinishedMessage(
                Json.text(json, "containerId"),
                Json.smallInteger(json, "epoch"),
                Json.smallInteger(json, "exitCode"),
                Json.number(json, "ranSeconds"),
                json.path("progressed").asBoolean(),
                Json.integer(json, "samples", -1, ProgressLine.MOST),
                json.path("stopAsked").asBoolean(),
                lines);
    }
}
