// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.resource.ResourceVector;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.util.UnitsConversionUtil;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** Between YARN's resources and Treadle's vectors. A type that the cluster does not declare counts as zero. */
public final class YarnResources {
    public static final String GPU = ResourceInformation.GPU_URI;
    public static final String GPU_MEMORY = "treadle.io/gpu-memory";
    public static final String POWER = "treadle.io/power";
    public static final String STORAGE_BANDWIDTH = "treadle.io/storage-bandwidth";

    private YarnResources() {}

    public static ResourceVector vector(Resource resource) {
        return new ResourceVector(
                amount(resource, GPU, ""),
                resource.getVirtualCores(),
                resource.getMemorySize(),
                amount(resource, GPU_MEMORY, "Mi"),
                storageMBps(resource),
                amount(resource, POWER, ""));
    }

    static long storageMBps(Resource resource) {
        return amount(resource, STORAGE_BANDWIDTH, "");
    }

    /** Whether the cluster has resources of this type. */
    public static boolean isDeclared(String type) {
        return ResourceUtils.getResourceTypeIndex().containsKey(type);
    }

    /**
     * What a container takes of the room on its node. An opportunistic one takes none: YARN gives its room to any ask, and
     * the NodeManager ends or holds it back then.
     */
    static ResourceVector taken(RMContainer container) {
        return container.getExecutionType() == ExecutionType.OPPORTUNISTIC
                ? ResourceVector.ZERO
                : vector(container.getAllocatedResource());
    }

    /** A YARN resource of these amounts; amounts of types that the cluster does not declare are dropped. */
    public static Resource resource(ResourceVector vector) {
        Resource resource =
                Resource.newInstance(vector.memoryMiB(), (int) Math.min(Integer.MAX_VALUE, vector.vcores()));
        setDevices(resource, vector);
        set(resource, STORAGE_BANDWIDTH, vector.storageMBps(), "");
        set(resource, POWER, vector.watts(), "");
        return resource;
    }

    /** Gives the resource the vector's GPUs and GPU memory. */
    static void setDevices(Resource resource, ResourceVector devices) {
        set(resource, GPU, devices.gpus(), "");
        set(resource, GPU_MEMORY, devices.gpuMemoryMiB(), "Mi");
    }

    private static long amount(Resource resource, String type, String unit) {
        Integer index = ResourceUtils.getResourceTypeIndex().get(type);
        if (index == null) {
            return 0;
        }
        ResourceInformation information = resource.getResourceInformation(index);
        // Where a cluster sets no maximum, YARN says the largest number there is, in whatever unit.
        return information.getUnits().equals(unit) || information.getValue() == Long.MAX_VALUE
                ? information.getValue()
                : UnitsConversionUtil.convert(information.getUnits(), unit, information.getValue());
    }

    private static void set(Resource resource, String type, long amount, String unit) {
        Integer index = ResourceUtils.getResourceTypeIndex().get(type);
        if (index != null) {
            String declared = resource.getResourceInformation(index).getUnits();
            resource.setResourceValue(
                    type, declared.equals(unit) ? amount : UnitsConversionUtil.convert(unit, declared, amount));
        }
    }
}
