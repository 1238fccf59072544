// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.core.wire.NodePower;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceBook;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.Grant;
import io.treadle.nm.device.ProcessCommandRunner;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The node's draw, and which of its containers has spent what. Used by one thread. */
public final class NodeEnergy {
    private final NodeWatts watts;
    private final DeviceBook book;
    private final Clock clock;
    private final EnergyShares shares = new EnergyShares();

    NodeEnergy(NodeWatts watts, DeviceBook book, Clock clock) {
        this.watts = watts;
        this.book = book;
        this.clock = clock;
    }

    public static NodeEnergy open(NodeConf conf, DeviceBook book, Clock clock) {
        return new NodeEnergy(
                NodeWatts.open(conf.power(), new ProcessCommandRunner(conf.nvidiaSmiTimeoutMs())), book, clock);
    }

    /**
     * @param readings of the devices, with their energy, by UUID
     * @param capsEpoch epoch of the caps that the node follows
     */
    public NodePower read(Map<String, DeviceReading> readings, long capsEpoch) {
        Map<String, List<String>> holders = book.holders();
        double gpus = 0;
        for (Map.Entry<String, DeviceReading> each : readings.entrySet()) {
            DeviceReading reading = each.getValue();
            if (!reading.lost()) {
                gpus += reading.watts();
                if (reading.energyMillijoules() != DeviceReading.NO_COUNTER) {
                    shares.count(
                            each.getKey(),
                            reading.energyMillijoules(),
                            memory(each.getKey(), holders.getOrDefault(each.getKey(), List.of())));
                }
            }
        }
        shares.forget(book.containers());
        NodeWatts.Draw draw = watts.read(gpus, clock.millis());
        return new NodePower(
                Math.round(draw.watts() * 10) / 10.0,
                draw.source(),
                capsEpoch,
                shares.total(),
                shares.idle(),
                shares.containers(),
                shares.ended());
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
