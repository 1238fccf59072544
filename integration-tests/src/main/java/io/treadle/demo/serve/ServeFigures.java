// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/**
 * What a service says of itself.
 *
 * @param state {@code ready} once it answers
 * @param ready workers that answer
 * @param tasks that they have run, one for each model that a query needs
 * @param loads of models
 * @param queued tasks that wait for a worker
 * @param residents the models that each worker holds
 */
public record ServeFigures(String state, int ready, long tasks, long loads, long queued, List<List<String>> residents) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public ServeFigures {
        residents = residents.stream().map(List::copyOf).toList();
    }

    /** @param text the {@code status.json} of its ApplicationMaster; what it does not say is nothing */
    static ServeFigures parse(String text) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            json = MAPPER.createObjectNode();
        }
        int ready = 0;
        long tasks = 0;
        long loads = 0;
        long queued = 0;
        List<List<String>> residents = new ArrayList<>();
        for (JsonNode worker : json.path("workers")) {
            ready += worker.path("state").asText().equals("ready") ? 1 : 0;
            tasks += worker.path("tasks").asLong();
            loads += worker.path("loads").asLong();
            queued += worker.path("queued").asLong();
            List<String> models = new ArrayList<>();
            worker.path("models").forEach(model -> models.add(model.asText()));
            residents.add(models);
        }
        return new ServeFigures(json.path("state").asText(), ready, tasks, loads, queued, residents);
    }

    /** What came after that: a service has loaded its models once before it is ready. */
    ServeFigures since(ServeFigures before) {
        return new ServeFigures(state, ready, tasks - before.tasks, loads - before.loads, queued, residents);
    }

    /** Of all tasks, the part whose model was there; 1 where there were none. */
    public double hitRate() {
        return tasks == 0 ? 1 : Math.max(0, 1 - (double) loads / tasks);
    }

    /** {@code encoder digit | denoise}: what each worker holds. */
    public String heldInWords() {
        return String.join(
                " | ",
                residents.stream()
                        .map(models -> models.isEmpty() ? "–" : String.join(" ", models))
                        .toList());
    }
}
