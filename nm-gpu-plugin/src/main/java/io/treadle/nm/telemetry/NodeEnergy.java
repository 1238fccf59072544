// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodePower;
import io.treadle.core.wire.SharedBy;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.Grant;
import io.treadle.nm.device.ProcessCommandRunner;
import io.treadle.nm.isolation.ContainerProcesses;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/** The node's draw, and which of its containers has spent what. Used by one thread. */
public final class NodeEnergy {
    private final NodeWatts watts;
    private final DeviceBook book;
    private final Clock clock;
    private final SharedUse sharedUse;
    private final IdleDraw idle = new IdleDraw();
    private final EnergyShares shares = new EnergyShares();

    NodeEnergy(NodeWatts watts, DeviceBook book, SharedUse sharedUse, Clock clock) {
        this.watts = watts;
        this.book = book;
        this.sharedUse = sharedUse;
        this.clock = clock;
    }

    /** @param leaders gives the id of a container's first process; empty while it is not known */
    public static NodeEnergy open(
            NodeConf conf,
            DeviceProvider provider,
            DeviceBook book,
            Function<String, OptionalLong> leaders,
            Clock clock) {
        return new NodeEnergy(
                NodeWatts.open(conf.power(), new ProcessCommandRunner(conf.nvidiaSmiTimeoutMs())),
                book,
                new SharedUse(provider, new ContainerProcesses(Path.of("/proc"), leaders), clock),
                clock);
    }

    /**
     * @param readings of the devices, with their energy, by UUID
     * @param capsEpoch epoch of the caps that the node follows
     */
    public NodePower read(Map<String, DeviceReading> readings, long capsEpoch) {
        Map<String, List<String>> holders = book.holders();
        Map<String, List<String>> shared = new LinkedHashMap<>(holders);
        shared.values().removeIf(containers -> containers.size() < 2);
        Map<String, Map<String, Long>> uses = sharedUse.since(shared);
        long now = clock.millis();
        double gpus = 0;
        for (Map.Entry<String, DeviceReading> each : readings.entrySet()) {
            String uuid = each.getKey();
            DeviceReading reading = each.getValue();
            if (!reading.lost()) {
                gpus += reading.watts();
                idle.saw(uuid, reading);
                if (reading.energyMillijoules() != DeviceReading.NO_COUNTER) {
                    DeviceUsers users = new DeviceUsers(
                            memory(uuid, holders.getOrDefault(uuid, List.of())),
                            uses.getOrDefault(uuid, Map.of()),
                            idle.watts(uuid));
                    shares.count(uuid, reading.energyMillijoules(), now, users);
                }
            }
        }
        shares.forget(book.containers());
        Map<String, SharedBy> sharedBy = new LinkedHashMap<>();
        shared.keySet()
                .forEach(uuid -> sharedBy.put(uuid, uses.containsKey(uuid) ? SharedBy.UTILIZATION : SharedBy.MEMORY));
        NodeWatts.Draw draw = watts.read(gpus, now);
        return new NodePower(
                Math.round(draw.watts() * 10) / 10.0,
                draw.source(),
                capsEpoch,
                shares.total(),
                shares.idle(),
                shares.containers(),
                shares.ended(),
                sharedBy);
    }

    /** MiB of the device by container. */
    private Map<String, Long> memory(String uuid, List<String> containers) {
        Map<String, Long> memory = new LinkedHashMap<>();
        for (String container : containers) {
            memory.put(
                    container,
                    book.grants(container).stream()
                            .filter(grant -> grant.uuid().equals(uuid))
                            .mapToLong(Grant::memoryMiB)
                            .sum());
        }
        return memory;
    }
}
