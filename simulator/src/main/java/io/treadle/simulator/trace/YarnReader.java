// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import com.fasterxml.jackson.core.JsonToken;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.JsonFile;
import io.treadle.simulator.input.JsonObject;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Applications that YARN's ResourceManager remembers, as it answers under {@code /ws/v1/cluster/apps}; several answers may
 * stand in one file. YARN keeps how many GPU-seconds an application held and when its master was launched and ended, not
 * how many GPUs it held: their number is the GPU-seconds over the time between, rounded up.
 */
final class YarnReader implements TraceReader {
    private static final Pattern BEGIN = Pattern.compile("\\{\\s*\"apps?\"\\s*:");
    private static final String GPUS = "yarn.io/gpu";
    private static final long MOST_MS = 10_000_000_000_000_000L;
    private static final long MOST_GPU_SECONDS = 1L << 50;
    /** Of a GPU: containers may outlive their application by moments, and are not one GPU more for that. */
    private static final double SLACK = 0.01;

    @Override
    public String format() {
        return "yarn";
    }

    @Override
    public boolean recognises(Head head) {
        return BEGIN.matcher(String.join(
                        " ", head.lines().subList(0, Math.min(3, head.lines().size()))))
                .lookingAt();
    }

    @Override
    public void read(Path file, Intake intake) {
        intake.isDated();
        JsonFile.walk(file, parser -> {
            long number = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("app")) {
                    // One that stands alone is no list.
                    JsonToken list = parser.nextToken();
                    for (JsonToken each = list == JsonToken.START_ARRAY ? parser.nextToken() : list;
                            each == JsonToken.START_OBJECT;
                            each = list == JsonToken.START_ARRAY ? parser.nextToken() : JsonToken.END_OBJECT) {
                        JsonObject app = new JsonObject(file, "app " + ++number, parser.readValueAsTree());
                        intake.attempt(() -> read(app, intake));
                    }
                }
            }
        });
    }

    private static void read(JsonObject app, Intake intake) {
        String id = app.name("id");
        long finishedMs = timeMs(app, "finishedTime");
        if (finishedMs == 0) {
            intake.remark(Intake.Remark.STILL_RUNS);
            return;
        }
        long submitMs = timeMs(app, "startedTime");
        boolean launchKnown = app.has("launchTime");
        long launchMs = launchKnown ? timeMs(app, "launchTime") : submitMs;
        Optional<History> ran = launchMs > 0 && launchMs <= finishedMs
                ? Optional.of(new History(launchMs, finishedMs))
                : Optional.empty();
        double seconds = ran.map(History::seconds).orElse(0.0);
        long gpuSeconds = gpuSeconds(app);
        if (intake.wants(gpuSeconds, seconds)) {
            long gpus = gpus(gpuSeconds, seconds);
            if (gpus > Shapes.MOST_GPUS) {
                throw app.wrong("resourceSecondsMap", "of at most " + Shapes.MOST_GPUS + " GPUs");
            }
            intake.remark(launchKnown ? Intake.Remark.GPUS_DERIVED : Intake.Remark.WAIT_IN_RUN_TIME);
            intake.add(TraceJob.of(
                            id,
                            app.text("queue").orElse(""),
                            submitMs,
                            intake.shapes().onFewestNodes(gpus),
                            Work.ofSeconds(seconds))
                    .ofUser(app.text("user").orElse(""))
                    .that(launchKnown ? ran : Optional.empty())
                    .with(new Attributes(
                            app.has("priority") ? (int) app.whole("priority", 0, Attributes.MOST_PRIORITY) : 0,
                            OptionalLong.empty(),
                            app.text("finalStatus").flatMap(EndState::of))));
        }
    }

    /** How many GPUs hold so many GPU-seconds within the run time; at least one. */
    static long gpus(long gpuSeconds, double seconds) {
        return Math.max(1, (long) Math.ceil(gpuSeconds / seconds - SLACK));
    }

    private static long timeMs(JsonObject app, String field) {
        return app.whole(field, 0, MOST_MS);
    }

    /** Written as {@code {"entry": [{"key": …, "value": …}]}}. */
    private static long gpuSeconds(JsonObject app) {
        return app.object("resourceSecondsMap").list("entry").stream()
                .filter(entry -> entry.text("key").orElse("").equals(GPUS))
                .findFirst()
                .map(entry -> entry.whole("value", 0, MOST_GPU_SECONDS))
                .orElse(0L);
    }
}
