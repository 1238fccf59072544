// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Devices without hardware, for demos and tests: they draw 15 % of their limit when idle and go towards 90 % while a
 * container holds them. A device whose UUID stands in the lost file is lost until it is taken out of it.
 */
public final class SimulatedProvider implements DeviceProvider {
    private static final double IDLE_SHARE = 0.15;
    private static final double BUSY_SHARE = 0.90;
    private static final double SETTLING_SECONDS = 4;
    private static final double ROOM_CELSIUS = 28;
    private static final double CELSIUS_AT_LIMIT = 78;

    private final List<GpuDevice> devices;
    private final Optional<Path> lostFile;
    private final Clock clock;
    private final Map<String, Load> loads = new HashMap<>();
    private long lastMs;

    /** What a simulated device does just now: draw in W, energy since start in mJ. */
    private record Load(double watts, double millijoules) {}

    private SimulatedProvider(List<GpuDevice> devices, Optional<Path> lostFile, Clock clock) {
        this.devices = devices;
        this.lostFile = lostFile;
        this.clock = clock;
        this.lastMs = clock.millis();
        devices.forEach(d -> loads.put(d.uuid(), new Load(d.limitWatts() * IDLE_SHARE, 0)));
    }

    /** @throws SettingException if the setting that describes the devices is absent or wrong */
    public static SimulatedProvider open(NodeConf conf, Clock clock) {
        if (conf.simulatedDevices().isEmpty()) {
            throw new SettingException(
                    NodeConf.SIMULATED_DEVICES,
                    "",
                    "set for the device provider 'simulated'",
                    "4xA100-SXM4-40GB:40960:400");
        }
        return new SimulatedProvider(
                SimulatedDevices.parse(conf.simulatedDevices(), conf.nodeName()), conf.simulatedLostFile(), clock);
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public boolean simulated() {
        return true;
    }

    @Override
    public List<GpuDevice> devices() {
        return devices;
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        long now = clock.millis();
        double seconds = Math.max(0, now - lastMs) / 1000.0;
        lastMs = now;
        Set<String> lost = lost();
        Map<String, DeviceReading> readings = new LinkedHashMap<>();
        for (GpuDevice device : devices) {
            boolean busy = held.contains(device.uuid());
            Load load = advance(device, busy, seconds);
            readings.put(
                    device.uuid(), lost.contains(device.uuid()) ? DeviceReading.LOST : reading(device, load, busy));
        }
        return readings;
    }

    private Load advance(GpuDevice device, boolean busy, double seconds) {
        double target = device.limitWatts() * (busy ? BUSY_SHARE : IDLE_SHARE);
        double nearer = 1 - Math.exp(-seconds / SETTLING_SECONDS);
        return loads.compute(device.uuid(), (uuid, old) -> {
            double watts = old == null ? target : old.watts() + (target - old.watts()) * nearer;
            double spent = old == null ? 0 : old.millijoules();
            return new Load(watts, spent + watts * seconds * 1000);
        });
    }

    private static DeviceReading reading(GpuDevice device, Load load, boolean busy) {
        double share = device.limitWatts() > 0 ? load.watts() / device.limitWatts() : 0;
        return new DeviceReading(
                false,
                load.watts(),
                device.limitWatts(),
                Math.max(0, Math.min(100, 100 * (share - IDLE_SHARE) / (BUSY_SHARE - IDLE_SHARE))),
                busy ? device.memoryMiB() * 7 / 10 : 0,
                ROOM_CELSIUS + (CELSIUS_AT_LIMIT - ROOM_CELSIUS) * share,
                Math.round(load.millijoules()));
    }

    private Set<String> lost() {
        if (lostFile.isEmpty()) {
            return Set.of();
        }
        try {
            Set<String> lost = new HashSet<>();
            Files.readAllLines(lostFile.get()).forEach(line -> lost.add(line.trim()));
            return lost;
        } catch (NoSuchFileException e) {
            return Set.of();
        } catch (IOException e) {
            throw new DeviceProviderException("cannot read the list of lost devices " + lostFile.get(), e);
        }
    }
}
