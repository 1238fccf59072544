// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** How long a placement takes by the rules of the model, and the best of all placements: by walking through them. */
final class PlanOracle {
    private final Query query;
    private final List<Known.Worker> workers;
    private final double nowMs;

    PlanOracle(Query query, List<Known.Worker> workers, double nowMs) {
        this.query = query;
        this.workers = workers;
        this.nowMs = nowMs;
    }

    double makespan(int[] placement) {
        Map<Integer, Double> ends = new HashMap<>();
        Map<Integer, Double> busyUntil = new HashMap<>();
        Map<Integer, Set<Integer>> held = new HashMap<>();
        Map<Integer, Double> free = new HashMap<>();
        double last = 0;
        for (int id : query.rank().order()) {
            QueryTask task = query.graph().task(id);
            int at = placement[id];
            Known.Worker worker = workers.get(at);
            double ready = nowMs;
            if (task.predecessors().isEmpty() && at != query.ingress()) {
                ready = nowMs + 2 * task.inputKb() + 0.5;
            }
            for (int before : task.predecessors()) {
                double out = query.graph().task(before).outputKb();
                double moved = placement[before] == at ? 0 : out + 2 * out + 0.5 + out;
                ready = Math.max(ready, Objects.requireNonNull(ends.get(before)) + moved);
            }
            Set<Integer> models = held.computeIfAbsent(at, key -> {
                Set<Integer> known = new HashSet<>();
                worker.models().stream().forEach(known::add);
                return known;
            });
            double missing = 0;
            for (Model model : task.models()) {
                if (models.add(model.id())) {
                    missing += model.kb();
                }
            }
            double room = free.getOrDefault(at, worker.freeKb());
            double fetch = room < missing ? 2 * missing : missing;
            free.put(at, Math.max(0, room - missing));
            double start = Math.max(ready, busyUntil.getOrDefault(at, nowMs + worker.waitMs())) + fetch;
            busyUntil.put(at, start + task.runMs());
            ends.put(id, start + task.runMs());
            last = Math.max(last, start + task.runMs());
        }
        return last;
    }

    double best() {
        int[] placement = new int[query.graph().size()];
        double best = Double.POSITIVE_INFINITY;
        while (true) {
            best = Math.min(best, makespan(placement));
            int digit = 0;
            while (digit < placement.length && ++placement[digit] == workers.size()) {
                placement[digit++] = 0;
            }
            if (digit == placement.length) {
                return best;
            }
        }
    }
}
