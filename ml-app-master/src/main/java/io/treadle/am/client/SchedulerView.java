// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.treadle.am.client.ResourceManagerRest.Answer;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * What the scheduler says of jobs and queues, by the ResourceManager's {@code /ws/v1/treadle}. Where it cannot be asked,
 * or the ResourceManager runs another scheduler, the answer says so; nothing here fails.
 */
final class SchedulerView {
    private final ResourceManagerRest rest;

    /** Jobs that are asked for at a time. */
    private static final int PAGE = 1000;

    SchedulerView(ResourceManagerRest rest) {
        this.rest = rest;
    }

    SchedulerAnswer<ScheduledJob> job(ApplicationId id) {
        try {
            Answer answer = rest.ask("jobs/" + id);
            return answer.isOk()
                    ? SchedulerAnswer.of(ScheduledJob.of(answer.json().orElseThrow()))
                    : silent(answer);
        } catch (ClientException e) {
            return SchedulerAnswer.none(firstLine(e));
        }
    }

    /** Jobs that the caller may view, by application id. */
    SchedulerAnswer<Map<String, ScheduledJob>> jobs() {
        try {
            Map<String, ScheduledJob> jobs = new HashMap<>();
            int seen = 0;
            int total;
            int before;
            do {
                Answer answer = rest.ask("jobs?limit=" + PAGE + "&offset=" + seen);
                if (!answer.isOk()) {
                    return silent(answer);
                }
                before = seen;
                for (JsonNode job : answer.json().orElseThrow().path("jobs")) {
                    jobs.put(job.path("applicationId").asText(), ScheduledJob.of(job));
                    seen++;
                }
                total = answer.json().orElseThrow().path("total").asInt(seen);
            } while (seen > before && seen < total);
            return SchedulerAnswer.of(jobs);
        } catch (ClientException e) {
            return SchedulerAnswer.none(firstLine(e));
        }
    }

    /** How near the choice of a queue's jobs comes to the best, in lines; none where there is no choice, or no answer. */
    List<String> certificates(String queue) {
        try {
            Answer answer = rest.ask("queues");
            return answer.isOk() ? QueueCertificates.of(answer.json().orElseThrow(), queue) : List.of();
        } catch (ClientException e) {
            return List.of();
        }
    }

    /**
     * Whether the cluster may have more nodes soon: some may still register, have gone for a while, or are switched off.
     * The scheduler says then what is too large.
     */
    boolean mayGrow() {
        return hasMore("planner", planner -> !planner.path("mayGrow").asText("").isEmpty())
                || hasMore(
                        "power?history=hour",
                        power -> !power.path("asleep").isEmpty()
                                || !power.path("asleepKnown").asBoolean(true));
    }

    private boolean hasMore(String path, Predicate<JsonNode> look) {
        try {
            Answer answer = rest.ask(path);
            return answer.isOk() && answer.json().filter(look).isPresent();
        } catch (ClientException e) {
            return false;
        }
    }

    private static <T> SchedulerAnswer<T> silent(Answer answer) {
        if (answer.status() == HttpURLConnection.HTTP_FORBIDDEN) {
            return SchedulerAnswer.forbidden();
        }
        if (answer.isRefusal()) {
            return SchedulerAnswer.none(answer.words());
        }
        return SchedulerAnswer.none(
                answer.status() == HttpURLConnection.HTTP_NOT_FOUND
                        ? "the ResourceManager runs without Treadle"
                        : "the ResourceManager answers with status " + answer.status());
    }

    private static String firstLine(ClientException failure) {
        return String.valueOf(failure.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst("[.:]$", "");
    }
}
