// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.am.protocol.Json;
import io.treadle.am.query.master.DeskFigures;
import io.treadle.am.query.master.ModelFacts;
import io.treadle.am.spec.ServiceSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a service is, for its page and for {@code treadle status}.
 *
 * @param state what it does, in a word or two
 * @param refusal why the ResourceManager refuses the workers that are asked for; empty while it does not
 * @param mode who takes queries
 * @param address where the ApplicationMaster answers queries, {@code host:port}
 * @param wanted how many workers there are to be
 * @param members its containers
 * @param models what they are and take; empty until they have been measured
 */
record ServiceStatus(
        String name,
        String applicationId,
        String user,
        ServiceSpec.Mode mode,
        String policy,
        String state,
        Optional<String> refusal,
        String address,
        int attempt,
        double upSeconds,
        int wanted,
        List<MemberView> members,
        List<ModelFacts> models,
        DeskFigures figures) {
    private static final int SCHEMA = 1;

    ServiceStatus {
        members = List.copyOf(members);
        models = List.copyOf(models);
    }

    /** What the desk knows of a member; empty while it is not connected. */
    Optional<DeskFigures.Worker> worker(MemberView member) {
        return figures.workers().stream()
                .filter(worker -> worker.host().equals(member.host()) && worker.port() == member.port())
                .findFirst();
    }

    /** Of all tasks, how many found their model there without a load; 1 where there were none. */
    double hitRate() {
        long tasks =
                figures.workers().stream().mapToLong(DeskFigures.Worker::tasks).sum();
        long loads =
                figures.workers().stream().mapToLong(DeskFigures.Worker::loads).sum();
        return tasks == 0 ? 1 : Math.max(0, 1 - (double) loads / tasks);
    }

    /** One line for people. */
    private String note() {
        long ready = members.stream()
                .filter(member -> member.state().equals("ready"))
                .count();
        long answered = figures.workflows().stream()
                .mapToLong(DeskFigures.WorkflowFigures::answered)
                .sum();
        List<Double> latencies = figures.workflows().stream()
                .flatMap(workflow -> workflow.latenciesMs().stream())
                .toList();
        String line = String.format(
                Locale.ROOT,
                "%d of %d workers, %d queries, p95 %.0f ms, %.0f %% hits",
                ready,
                wanted,
                answered,
                percentile(latencies, 0.95),
                100 * hitRate());
        return refusal.map(why -> line + "; " + why).orElse(line);
    }

    String modelName(int id) {
        return id < models.size() ? models.get(id).name() : "model " + id;
    }

    /** Of latencies, ms; 0 where there are none. */
    static double percentile(List<Double> latencies, double part) {
        if (latencies.isEmpty()) {
            return 0;
        }
        List<Double> sorted = latencies.stream().sorted().toList();
        return sorted.get((int) Math.max(0, Math.ceil(part * sorted.size()) - 1));
    }

    String toJson() {
        ObjectNode json = Json.object()
                .put("schema", SCHEMA)
                .put("kind", "service")
                .put("name", name)
                .put("applicationId", applicationId)
                .put("user", user)
                .put("mode", mode.name().toLowerCase(Locale.ROOT))
                .put("policy", policy)
                .put("state", state)
                .put("address", address)
                .put("attempt", attempt)
                .put("upSeconds", upSeconds)
                .put("workersWanted", wanted)
                .put("queriesActive", figures.active())
                .put("hitRate", hitRate())
                .put("note", note());
        ArrayNode workers = json.putArray("workers");
        for (MemberView member : members) {
            ObjectNode each = workers.addObject()
                    .put("containerId", member.containerId())
                    .put("state", member.state())
                    .put("node", member.node());
            worker(member).ifPresent(worker -> write(each, worker));
        }
        ArrayNode workflows = json.putArray("workflows");
        for (DeskFigures.WorkflowFigures workflow : figures.workflows()) {
            write(workflows.addObject(), workflow);
        }
        ArrayNode known = json.putArray("models");
        for (int i = 0; i < models.size(); i++) {
            ModelFacts model = models.get(i);
            DeskFigures.LoadFigures loads = loads(i);
            known.addObject()
                    .put("name", model.name())
                    .put("memoryKb", model.kb())
                    .put("loadMs", model.loadMs())
                    .put("loads", loads.loads())
                    .put("allLoadMs", loads.loadMs());
        }
        return json.toString();
    }

    private DeskFigures.LoadFigures loads(int model) {
        return figures.models().stream()
                .filter(each -> each.id() == model)
                .findFirst()
                .orElse(new DeskFigures.LoadFigures(model, 0, 0));
    }

    private void write(ObjectNode json, DeskFigures.Worker worker) {
        if (worker.ingress() > 0) {
            json.put("address", worker.host() + ":" + worker.ingress());
        }
        json.put("waitMs", worker.waitMs())
                .put("queued", worker.queued())
                .put("memoryKb", worker.capacityKb())
                .put("freeKb", worker.freeKb())
                .put("tasks", worker.tasks())
                .put("loads", worker.loads())
                .put("busyMs", worker.busyMs());
        ArrayNode resident = json.putArray("models");
        worker.models().forEach(id -> resident.add(modelName(id)));
    }

    private static void write(ObjectNode json, DeskFigures.WorkflowFigures workflow) {
        List<Double> latencies = workflow.latenciesMs();
        json.put("name", workflow.name())
                .put("answered", workflow.answered())
                .put("failed", workflow.failed())
                .put("late", workflow.late())
                .put(
                        "meanMs",
                        latencies.stream().mapToDouble(ms -> ms).average().orElse(0))
                .put("p50Ms", percentile(latencies, 0.5))
                .put("p95Ms", percentile(latencies, 0.95))
                .put("p99Ms", percentile(latencies, 0.99));
        ArrayNode tasks = json.putArray("tasks");
        for (DeskFigures.TaskFigures task : workflow.tasks()) {
            ObjectNode each = tasks.addObject()
                    .put("name", task.name())
                    .put("runMs", task.runMs())
                    .put("outputKb", task.outputKb())
                    .put("measured", task.isMeasured())
                    .put("runs", task.runs())
                    .put("allRunMs", task.allRunMs());
            ArrayNode quantiles = each.putArray("runQuantilesMs");
            task.runQuantilesMs().forEach(quantiles::add);
        }
    }
}
