// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.core.wire.DeviceTag;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WireFormatException;
import io.treadle.nm.device.DeviceAsk;
import io.treadle.nm.device.Grant;
import io.treadle.nm.device.NodeCapacity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.util.UnitsConversionUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sizes in a container's signed token.
 *
 * @param version the token's version; grows with each resize
 * @param gpuMemoryMiB slice of GPU memory, MiB
 * @param powerWatts power share, W
 * @param storageMBps storage bandwidth, MB/s
 */
record ContainerSizes(
        int version, long vcores, long memoryMiB, long gpus, long gpuMemoryMiB, long powerWatts, long storageMBps) {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerSizes.class);

    static ContainerSizes of(ContainerTokenIdentifier token) {
        Resource resource = token.getResource();
        return new ContainerSizes(
                token.getVersion(),
                resource.getVirtualCores(),
                resource.getMemorySize(),
                amount(resource, NodeCapacity.GPU, ""),
                amount(resource, NodeCapacity.GPU_MEMORY, "Mi"),
                amount(resource, NodeCapacity.POWER, ""),
                amount(resource, NodeCapacity.STORAGE_BANDWIDTH, ""));
    }

    /** What the token asks of the node's devices. Tags that cannot be read count as absent, and are logged. */
    static DeviceAsk ask(ContainerTokenIdentifier token) {
        ContainerSizes sizes = of(token);
        List<DeviceTag> chosen = new ArrayList<>();
        Set<String> tags = token.getAllcationTags();
        try {
            for (String tag : tags == null ? Set.<String>of() : tags) {
                DeviceTag.parse(tag).ifPresent(chosen::add);
            }
        } catch (WireFormatException e) {
            LOG.error("{}: {}; the node chooses the devices itself", token.getContainerID(), e.getMessage());
            chosen.clear();
        }
        return new DeviceAsk(
                (int) Math.min(sizes.gpus, Integer.MAX_VALUE), sizes.gpus > 0 ? 0 : sizes.gpuMemoryMiB, chosen);
    }

    ResourcesFile toFile(List<Grant> grants) {
        return new ResourcesFile(
                version,
                vcores,
                null,
                memoryMiB,
                gpuMemoryMiB,
                powerWatts,
                storageMBps,
                grants.stream()
                        .map(g -> new ResourcesFile.Device(g.uuid(), g.memoryMiB(), state(g.state())))
                        .toList());
    }

    private static ResourcesFile.DeviceState state(Grant.State state) {
        return switch (state) {
            case READY -> ResourcesFile.DeviceState.READY;
            case PENDING -> ResourcesFile.DeviceState.PENDING;
            case LOST -> ResourcesFile.DeviceState.LOST;
        };
    }

    /** 0 for types that the cluster does not declare. */
    private static long amount(Resource resource, String type, String unit) {
        for (ResourceInformation information : resource.getResources()) {
            if (information.getName().equals(type)) {
                return UnitsConversionUtil.convert(information.getUnits(), unit, information.getValue());
            }
        }
        return 0;
    }
}
