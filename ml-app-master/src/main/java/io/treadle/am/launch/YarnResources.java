// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.launch;

import io.treadle.am.spec.JobSpec;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.ResourceNotFoundException;

/** Task groups' sizes as YARN's resources. */
public final class YarnResources {
    public static final String GPU = "yarn.io/gpu";
    public static final String GPU_MEMORY = "treadle.io/gpu-memory";
    public static final String STORAGE_BANDWIDTH = "treadle.io/storage-bandwidth";
    public static final String POWER = "treadle.io/power";

    private YarnResources() {}

    /** @throws IllegalArgumentException if the cluster's configuration lacks a type that the group asks for */
    public static Resource of(JobSpec.TaskGroup group) {
        Resource resource = Resource.newInstance(group.memoryMiB(), Math.toIntExact(group.vcores()));
        set(resource, GPU, group.gpusPerWorker(), group);
        set(resource, GPU_MEMORY, group.gpuMemoryMiB(), group);
        set(resource, STORAGE_BANDWIDTH, group.storageMBps(), group);
        set(resource, POWER, group.watts(), group);
        return resource;
    }

    private static void set(Resource resource, String type, long amount, JobSpec.TaskGroup group) {
        if (amount <= 0) {
            return;
        }
        try {
            resource.setResourceValue(type, amount);
        } catch (ResourceNotFoundException e) {
            throw new IllegalArgumentException(
                    "task group '" + group.name() + "' asks for " + amount + " of " + type
                            + ", which is none of the cluster's resource types.\n"
                            + "Maybe it is missing in yarn.resource-types of the client's configuration.",
                    e);
        }
    }
}
