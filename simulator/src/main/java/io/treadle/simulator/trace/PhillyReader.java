// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.JsonFile;
import io.treadle.simulator.input.Times;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Microsoft's Philly log (msr-fiddle/philly-traces, {@code cluster_job_log}): a JSON list of jobs, of which one at a time
 * is in memory. The run time is the sum of the attempts, the GPUs are those of the last attempt that had any.
 */
final class PhillyReader implements TraceReader {
    @Override
    public String format() {
        return "philly";
    }

    @Override
    public boolean recognises(Head head) {
        return head.first().startsWith("[") || head.first().startsWith("{");
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.isDated();
        JsonFile.walk(file, parser -> {
            long number = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    JsonNode node = parser.readValueAsTree();
                    Entry entry = new Entry(file, ++number, node);
                    intake.attempt(() -> entry.read(intake));
                } else if (token != JsonToken.START_ARRAY && token != JsonToken.END_ARRAY) {
                    throw JsonFile.unexpected(file, parser, "a job: {\"jobid\": …}");
                }
            }
        });
    }

    /** One job of the list. */
    private record Entry(Path file, long number, JsonNode json) {
        void read(Intake intake) {
            long gpus = 0;
            long ranMs = 0;
            OptionalLong first = OptionalLong.empty();
            OptionalLong last = OptionalLong.empty();
            for (JsonNode attempt : list(json, "attempts")) {
                OptionalLong start = timeMs(attempt, "start_time");
                OptionalLong end = timeMs(attempt, "end_time");
                if (start.isPresent() && end.isPresent()) {
                    ranMs += end.getAsLong() - start.getAsLong();
                    first = first.isPresent() ? first : start;
                    last = end;
                }
                long given = gpus(attempt);
                gpus = given > 0 ? given : gpus;
            }
            if (intake.wants(gpus, ranMs)) {
                OptionalLong submitted = timeMs(json, "submitted_time");
                if (submitted.isEmpty()) {
                    throw wrong("submitted_time", json.path("submitted_time"), "a time such as 2017-10-03 12:00:00");
                }
                String id = text("jobid");
                if (id.isEmpty()) {
                    throw wrong("jobid", json.path("jobid"), "a name");
                }
                intake.add(TraceJob.of(
                                id,
                                text("vc"),
                                submitted.getAsLong(),
                                intake.shapes().onFewestNodes(gpus),
                                Work.ofSeconds(ranMs / 1000.0))
                        .ofUser(text("user"))
                        .that(History.of(first, last))
                        .with(Attributes.ended(EndState.of(text("status")))));
            }
        }

        private long gpus(JsonNode attempt) {
            long gpus = 0;
            for (JsonNode server : list(attempt, "detail")) {
                gpus += list(server, "gpus").size();
            }
            return gpus;
        }

        /** Nothing is as good as an empty list. */
        private JsonNode list(JsonNode of, String field) {
            JsonNode list = of.path(field);
            if (!list.isArray() && !list.isMissingNode() && !list.isNull()) {
                throw wrong(field, list, "a list");
            }
            return list;
        }

        private OptionalLong timeMs(JsonNode of, String field) {
            JsonNode value = of.path(field);
            String text =
                    value.isValueNode() && !value.isNull() ? value.asText().trim() : "";
            if (Times.isNone(text) && !value.isContainerNode()) {
                return OptionalLong.empty();
            }
            OptionalLong time = Times.parseMs(text);
            if (time.isEmpty()) {
                throw wrong(field, value, "a time such as 2017-10-03 12:00:00");
            }
            return time;
        }

        private String text(String field) {
            JsonNode value = json.path(field);
            return value.isValueNode() && !value.isNull() ? value.asText().trim() : "";
        }

        private InputException wrong(String field, JsonNode value, String expected) {
            return new InputException(file + ", job " + number + " (" + JsonFile.cut(text("jobid")) + "), '" + field
                    + "': is "
                    + (value.isMissingNode() ? "missing" : "'" + JsonFile.cut(value.toString()) + "'") + ", must be "
                    + expected + ".");
        }
    }
}
