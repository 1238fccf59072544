// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.spec.JobSpec;
import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.UnitsConversionUtil;

/** Translates between YARN's resources and Treadle's. */
final class YarnResources {
    static final String GPU = ResourceInformation.GPU_URI;
    static final String GPU_MEMORY = "treadle.io/gpu-memory";
    static final String POWER = "treadle.io/power";
    static final String STORAGE_BANDWIDTH = "treadle.io/storage-bandwidth";

    private YarnResources() {}

    /** Types that {@code resource} lacks count as 0. */
    static ResourceVector toVector(Resource resource) {
        long gpus = 0;
        long gpuMemory = 0;
        long watts = 0;
        long storage = 0;
        for (ResourceInformation information : resource.getResources()) {
            switch (information.getName()) {
                case GPU -> gpus = information.getValue();
                case GPU_MEMORY -> gpuMemory = inMiB(information);
                case POWER -> watts = information.getValue();
                case STORAGE_BANDWIDTH -> storage = information.getValue();
                default -> {
                    // memory and vcores have their own accessors; other types are not Treadle's.
                }
            }
        }
        return new ResourceVector(
                gpus, resource.getVirtualCores(), resource.getMemorySize(), gpuMemory, storage, watts);
    }

    private static long inMiB(ResourceInformation information) {
        String units = information.getUnits();
        // Without a configured limit YARN says Long.MAX_VALUE, which no conversion survives.
        return units.equals("Mi") || information.getValue() == Long.MAX_VALUE
                ? information.getValue()
                : UnitsConversionUtil.convert(units, "Mi", information.getValue());
    }

    /** What each task of a group asks for. */
    static ResourceVector perTask(JobSpec.TaskGroup group) {
        return group.resources();
    }
}
