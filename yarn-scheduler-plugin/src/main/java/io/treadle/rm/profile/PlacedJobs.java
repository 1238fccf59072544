// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** On which GPU model each job runs, or would run. Speeds measured on one model say nothing of another. */
final class PlacedJobs {
    /** @param mixed whether it has run on another model before: its speeds are of neither */
    private record Placed(String gpuModel, boolean runs, boolean mixed) {}

    private final Map<String, Placed> jobs = new ConcurrentHashMap<>();

    /** Returns whether the model is new. */
    boolean put(String applicationId, String gpuModel, JobStage stage) {
        Placed before = jobs.get(applicationId);
        if (stage == JobStage.RUNS && before != null && before.runs() && isPart(gpuModel, before.gpuModel())) {
            // The tasks of a gang end one after the other: those that are left make no other job of it.
            return false;
        }
        boolean runs = stage != JobStage.BOUND;
        boolean other = before == null || !before.gpuModel().equals(gpuModel);
        boolean mixed = before != null && (before.mixed() || (other && before.runs()));
        jobs.put(applicationId, new Placed(gpuModel, runs || (before != null && before.runs()), mixed));
        return other;
    }

    /** Whether these models of one gang are some of those. */
    private static boolean isPart(String gpuModel, String whole) {
        return List.of(whole.split("\\+")).containsAll(List.of(gpuModel.split("\\+")));
    }

    /** The one model on which the job has run. */
    Optional<String> ranOn(String applicationId) {
        return Optional.ofNullable(jobs.get(applicationId))
                .filter(p -> p.runs() && !p.mixed())
                .map(Placed::gpuModel);
    }

    void remove(String applicationId) {
        jobs.remove(applicationId);
    }
}
