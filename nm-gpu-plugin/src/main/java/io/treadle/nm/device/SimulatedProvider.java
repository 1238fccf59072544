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
 * container holds them, less under a cap. A device whose UUID stands in the lost file is lost until it is taken out of it.
 */
public final class SimulatedProvider implements DeviceProvider {
    private static final double LEAST_CAP_SHARE = 0.25;
    private static final double ROOM_CELSIUS = 28;
    private static final double CELSIUS_AT_LIMIT = 78;

    private final List<GpuDevice> devices;
    private final Optional<Path> lostFile;
    private final Clock clock;
    private final Map<String, SimulatedDraw> draws = new HashMap<>();
    private final Map<String, SimulatedUsers> users = new HashMap<>();
    private final Map<String, Long> caps = new HashMap<>();
    private long lastMs;

    private SimulatedProvider(List<GpuDevice> devices, double noise, Optional<Path> lostFile, Clock clock) {
        this.devices = devices;
        this.lostFile = lostFile;
        this.clock = clock;
        this.lastMs = clock.millis();
        devices.forEach(d -> draws.put(d.uuid(), new SimulatedDraw(d.limitWatts(), noise, d.uuid())));
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
                SimulatedDevices.parse(conf.simulatedDevices(), conf.nodeName()),
                conf.simulatedNoise(),
                conf.simulatedLostFile(),
                clock);
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
            SimulatedDraw draw = draws.get(device.uuid());
            if (draw != null) {
                draw.advance(busy, cap(device) / 1000.0, seconds);
                readings.put(
                        device.uuid(), lost.contains(device.uuid()) ? DeviceReading.LOST : reading(device, draw, busy));
            }
        }
        return readings;
    }

    /** Containers that have been there as long share alike; one that is new becomes busy as a device does. */
    @Override
    public Map<String, List<ProcessUse>> processes(Map<String, List<String>> holders) {
        Set<String> lost = lost();
        Map<String, List<ProcessUse>> found = new LinkedHashMap<>();
        for (GpuDevice device : devices) {
            List<String> containers = holders.get(device.uuid());
            SimulatedDraw draw = draws.get(device.uuid());
            if (containers != null && draw != null && !lost.contains(device.uuid())) {
                found.put(
                        device.uuid(),
                        users.computeIfAbsent(device.uuid(), u -> new SimulatedUsers())
                                .share(containers, draw.activity(), clock.millis()));
            }
        }
        return found;
    }

    private DeviceReading reading(GpuDevice device, SimulatedDraw draw, boolean busy) {
        double share = device.limitWatts() > 0 ? draw.watts() / device.limitWatts() : 0;
        double cap = cap(device) / 1000.0;
        return new DeviceReading(
                false,
                draw.watts(),
                cap,
                100 * draw.activity(),
                busy ? device.memoryMiB() * 7 / 10 : 0,
                ROOM_CELSIUS + (CELSIUS_AT_LIMIT - ROOM_CELSIUS) * share,
                draw.millijoules(),
                0,
                busy && cap < device.limitWatts() ? List.of("power-cap") : List.of(),
                cap);
    }

    @Override
    public PowerLimits limits(String uuid) throws PowerLimitException {
        GpuDevice device = find(uuid);
        long most = Math.round(device.limitWatts() * 1000);
        return new PowerLimits(Math.round(most * LEAST_CAP_SHARE), most, most, cap(device), cap(device));
    }

    @Override
    public void setLimit(String uuid, long milliwatts) throws PowerLimitException {
        PowerLimits limits = limits(uuid);
        if (milliwatts < limits.minMilliwatts() || milliwatts > limits.maxMilliwatts()) {
            throw new PowerLimitException(
                    PowerLimitException.Reason.OUT_OF_RANGE,
                    milliwatts + " mW is not from " + limits.minMilliwatts() + " to " + limits.maxMilliwatts());
        }
        caps.put(uuid, milliwatts);
    }

    private GpuDevice find(String uuid) throws PowerLimitException {
        if (lost().contains(uuid)) {
            throw new PowerLimitException(PowerLimitException.Reason.LOST, uuid + " is in the list of lost devices");
        }
        return devices.stream()
                .filter(d -> d.uuid().equals(uuid))
                .findFirst()
                .orElseThrow(() -> new PowerLimitException(
                        PowerLimitException.Reason.LOST, uuid + " is none of the simulated devices"));
    }

    /** mW. */
    private long cap(GpuDevice device) {
        return caps.getOrDefault(device.uuid(), Math.round(device.limitWatts() * 1000));
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
