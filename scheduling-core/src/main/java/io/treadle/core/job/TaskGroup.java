// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import io.treadle.core.resource.ResourceVector;
import java.util.Set;

/**
 * Tasks that are alike and start together.
 *
 * @param name such as {@code worker}
 * @param min tasks without which the job does not start
 * @param max tasks that it can use
 * @param ask what each task needs at least, in every dimension
 * @param gpuModels GPU models that will do; empty for any
 */
public record TaskGroup(String name, int min, int max, ResourceVector ask, Set<String> gpuModels) {
    public TaskGroup {
        gpuModels = Set.copyOf(gpuModels);
    }

    /** Whether a task can only start where the GPUs are known one by one: it wants a slice, or certain models. */
    public boolean choosesDevices() {
        return ask.gpuMemoryMiB() > 0 || (ask.gpus() > 0 && !gpuModels.isEmpty());
    }

    public boolean accepts(String gpuModel) {
        return gpuModels.isEmpty() || gpuModels.contains(gpuModel);
    }
}
