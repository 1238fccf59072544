// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.text.PlainText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a service's {@code status.json} says of its workflows and workers, as tables. */
final class ServiceText {
    /** Of a service with more, those on which most waits are shown: the rest would push all else off the screen. */
    static final int MOST_WORKERS = 16;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ServiceText() {}

    /** Empty for what is no service. */
    static String of(JobStatus status) {
        return status.master().map(master -> of(status, master)).orElse("");
    }

    private static String of(JobStatus status, MasterStatus master) {
        JsonNode json;
        try {
            json = MAPPER.readTree(master.json());
        } catch (JsonProcessingException e) {
            return "";
        }
        if (!json.path("kind").asText().equals("service")) {
            return "";
        }
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%n%s %s: %,d queries on their way%n",
                status.id(),
                status.name(),
                json.path("queriesActive").asLong()));
        workflows(text, json.path("workflows"));
        workers(text, json.path("workers"));
        return text.toString();
    }

    /** The service's owner may have written it. */
    private static String text(JsonNode of) {
        return PlainText.line(of.asText());
    }

    private static void workflows(StringBuilder text, JsonNode workflows) {
        text.append(String.format(
                "  %-32s %9s %7s %7s %8s %8s%n", "workflow", "answered", "failed", "late", "mean ms", "p95"));
        for (JsonNode each : workflows) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %-32.32s %,9d %,7d %,7d %,8.1f %,8.1f%n",
                    text(each.path("name")),
                    each.path("answered").asLong(),
                    each.path("failed").asLong(),
                    each.path("late").asLong(),
                    each.path("meanMs").asDouble(),
                    each.path("p95Ms").asDouble()));
        }
    }

    private static void workers(StringBuilder text, JsonNode workers) {
        text.append(String.format(
                "  %-40s %-16s %-9s %9s %8s %6s  %s%n",
                "worker", "node", "state", "queue ms", "waiting", "hits", "models"));
        List<JsonNode> all = new ArrayList<>();
        workers.forEach(all::add);
        if (all.size() > MOST_WORKERS) {
            all.sort(Comparator.comparingDouble(each -> -each.path("waitMs").asDouble()));
        }
        all.stream().limit(MOST_WORKERS).forEach(each -> worker(text, each));
        if (all.size() > MOST_WORKERS) {
            text.append(String.format(Locale.ROOT, "  and %,d more, on which less waits%n", all.size() - MOST_WORKERS));
        }
    }

    private static void worker(StringBuilder text, JsonNode worker) {
        // Only of one that is connected more is known.
        boolean isConnected = worker.has("waitMs");
        text.append(String.format(
                        Locale.ROOT,
                        "  %-40s %-16.16s %-9s %9s %8s %6s  %s",
                        text(worker.path("containerId")),
                        text(worker.path("node")),
                        text(worker.path("state")),
                        isConnected
                                ? String.format(
                                        Locale.ROOT,
                                        "%,.1f",
                                        worker.path("waitMs").asDouble())
                                : "",
                        isConnected ? text(worker.path("queued")) : "",
                        hits(worker),
                        models(worker.path("models")))
                .stripTrailing());
        text.append(System.lineSeparator());
    }

    /** Of its tasks, how many found their model there without a load; empty before it has had one. */
    private static String hits(JsonNode worker) {
        long tasks = worker.path("tasks").asLong();
        long loads = worker.path("loads").asLong();
        return tasks == 0 ? "" : Math.round(100 * Math.max(0, 1 - (double) loads / tasks)) + " %";
    }

    private static String models(JsonNode models) {
        List<String> names = new ArrayList<>();
        models.forEach(each -> names.add(text(each)));
        return names.stream().sorted().collect(Collectors.joining(", "));
    }
}
