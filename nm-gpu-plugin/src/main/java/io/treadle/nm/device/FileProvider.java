// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.wire.DeviceVendor;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Devices from a JSON file, for hardware whose driver the NodeManager cannot ask: {@code {"schema":1,"devices":
 * [{"uuid":"GPU-1","model":"A100","memoryMiB":40960,"watts":400}]}}. The file is read again with every reading: a device
 * that has gone from it, or has {@code "lost":true}, is lost.
 */
public final class FileProvider implements DeviceProvider {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int SCHEMA = 1;

    private final Path file;
    private final DeviceVendor vendor;
    private final List<GpuDevice> devices;
    private final Map<String, List<String>> deviceFiles;

    private FileProvider(
            Path file, DeviceVendor vendor, List<GpuDevice> devices, Map<String, List<String>> deviceFiles) {
        this.file = file;
        this.vendor = vendor;
        this.devices = devices;
        this.deviceFiles = deviceFiles;
    }

    /** @throws DeviceProviderException if the file cannot be used */
    public static FileProvider open(NodeConf conf) {
        Path file = conf.devicesFile()
                .orElseThrow(() -> new SettingException(
                        NodeConf.DEVICES_FILE, "", "the path of a JSON file for the device provider 'file'"));
        Map<GpuDevice, Boolean> parsed = parse(file);
        return new FileProvider(
                file,
                DeviceVendor.other(conf.devicesVariables()),
                List.copyOf(parsed.keySet()),
                Map.copyOf(deviceFiles(file)));
    }

    @Override
    public DeviceVendor vendor() {
        return vendor;
    }

    @Override
    public List<String> deviceFiles(String uuid) {
        return deviceFiles.getOrDefault(uuid, List.of());
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public List<GpuDevice> devices() {
        return devices;
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        Set<String> present = new HashSet<>();
        parse(file).forEach((device, lost) -> {
            if (!lost) {
                present.add(device.uuid());
            }
        });
        Map<String, DeviceReading> readings = new HashMap<>();
        for (GpuDevice device : devices) {
            readings.put(
                    device.uuid(),
                    present.contains(device.uuid())
                            ? new DeviceReading(false, 0, device.limitWatts(), 0, 0, 0, DeviceReading.NO_COUNTER)
                            : DeviceReading.LOST);
        }
        return readings;
    }

    private static Map<String, List<String>> deviceFiles(Path file) {
        Map<String, List<String>> found = new HashMap<>();
        for (JsonNode item : json(file).path("devices")) {
            List<String> files = new ArrayList<>();
            for (JsonNode name : item.path("files")) {
                if (!name.asText().matches("/dev/[A-Za-z0-9_./-]+")) {
                    throw new DeviceProviderException("devices file " + file + ": device "
                            + item.path("uuid").asText() + " has the device file " + name
                            + ", must be a path below /dev");
                }
                files.add(name.asText());
            }
            found.put(item.path("uuid").asText(), List.copyOf(files));
        }
        return found;
    }

    /** The devices in the file's order, each with whether it is marked as lost. */
    private static Map<GpuDevice, Boolean> parse(Path file) {
        return devices(file, json(file));
    }

    private static JsonNode json(Path file) {
        JsonNode json;
        try {
            json = MAPPER.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new DeviceProviderException(
                    "devices file " + file + " is no JSON: " + e.getOriginalMessage() + " (line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ")",
                    e);
        } catch (IOException e) {
            throw new DeviceProviderException(
                    "cannot read the devices file " + file + ": " + e.getMessage() + ".\nMaybe set "
                            + NodeConf.DEVICES_FILE + " to a JSON file as in docs/reference/node-settings.md",
                    e);
        }
        if (json.path("schema").asInt(0) != SCHEMA || !json.path("devices").isArray()) {
            throw new DeviceProviderException("devices file " + file + " must be {\"schema\":" + SCHEMA
                    + ",\"devices\":[…]}, but has schema " + json.path("schema") + " and devices "
                    + json.path("devices").getNodeType());
        }
        return json;
    }

    private static Map<GpuDevice, Boolean> devices(Path file, JsonNode json) {
        Map<GpuDevice, Boolean> devices = new LinkedHashMap<>();
        List<String> seen = new ArrayList<>();
        for (JsonNode item : json.path("devices")) {
            String uuid = item.path("uuid").asText("");
            long memoryMiB = item.path("memoryMiB").asLong(0);
            if (!uuid.matches("[A-Za-z0-9_-]+") || memoryMiB <= 0 || seen.contains(uuid)) {
                throw new DeviceProviderException("devices file " + file + ": device " + seen.size() + " is " + item
                        + ", needs its own uuid of letters, digits, '-' and '_', and memoryMiB above 0");
            }
            devices.put(
                    new GpuDevice(
                            uuid,
                            seen.size(),
                            item.path("model").asText("unknown"),
                            memoryMiB,
                            Math.max(0, item.path("watts").asDouble(0))),
                    item.path("lost").asBoolean(false));
            seen.add(uuid);
        }
        return devices;
    }
}
