// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.core.wire.DeviceVendor;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * AMD GPUs as {@code rocm-smi --json} prints them: ROCm 4 and 5, and 6, which has other names for some fields. Draw,
 * utilisation, memory and temperature are read; limits are not set, and energy is added up from draws.
 */
public final class RocmSmiProvider implements DeviceProvider {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> QUERY = List.of(
            "--showuniqueid",
            "--showproductname",
            "--showbus",
            "--showmeminfo",
            "vram",
            "--showpower",
            "--showmaxpower",
            "--showuse",
            "--showtemp",
            "--json");

    private static final String COMPUTE_FILE = "/dev/kfd";

    private final CommandRunner runner;
    private final String command;
    private final Path pci;
    private final List<GpuDevice> devices;
    private final List<String> leftOut;
    private final Map<String, String> buses;

    private RocmSmiProvider(CommandRunner runner, String command, Path pci) {
        this.runner = runner;
        this.command = command;
        this.pci = pci;
        Map<String, String> found = new LinkedHashMap<>();
        List<GpuDevice> usable = new ArrayList<>();
        List<String> others = new ArrayList<>();
        Set<String> uuids = new HashSet<>();
        for (RocmSmiCard card : cards()) {
            if (card.memoryMiB() == 0) {
                others.add("card " + card.index() + " is left out: it tells no memory");
            } else if (!uuids.add(card.uuid())) {
                others.add("card " + card.index() + " is left out: it has the unique id of another, " + card.uuid());
            } else {
                usable.add(new GpuDevice(card.uuid(), card.index(), card.model(), card.memoryMiB(), card.limitWatts()));
                found.put(card.uuid(), card.bus());
            }
        }
        this.devices = List.copyOf(usable);
        this.leftOut = List.copyOf(others);
        this.buses = Map.copyOf(found);
    }

    /** @throws DeviceProviderException if the command is not there, fails, or prints something else */
    public static RocmSmiProvider open(String command, CommandRunner runner) {
        return open(command, runner, Path.of("/sys/bus/pci/devices"));
    }

    /** @param pci directory in which the kernel lists PCI devices */
    static RocmSmiProvider open(String command, CommandRunner runner, Path pci) {
        return new RocmSmiProvider(runner, command, pci);
    }

    @Override
    public String name() {
        return "rocm-smi";
    }

    @Override
    public DeviceVendor vendor() {
        return DeviceVendor.AMD;
    }

    @Override
    public List<GpuDevice> devices() {
        return devices;
    }

    @Override
    public List<String> leftOut() {
        return leftOut;
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        Map<String, DeviceReading> found = new LinkedHashMap<>();
        cards().forEach(card -> found.put(card.uuid(), card.reading()));
        Map<String, DeviceReading> readings = new LinkedHashMap<>();
        devices.forEach(d -> readings.put(d.uuid(), found.getOrDefault(d.uuid(), DeviceReading.LOST)));
        return readings;
    }

    /** All GPUs compute through one file, and each has two of its own. */
    @Override
    public List<String> deviceFiles(String uuid) {
        List<String> files = new ArrayList<>();
        Path cards = pci.resolve(buses.getOrDefault(uuid, "").toLowerCase(Locale.ROOT))
                .resolve("drm");
        try (DirectoryStream<Path> names = Files.newDirectoryStream(cards, "{card,renderD}*")) {
            names.forEach(name -> files.add("/dev/dri/" + name.getFileName()));
        } catch (IOException e) {
            return List.of();
        }
        files.sort(Comparator.naturalOrder());
        files.add(0, COMPUTE_FILE);
        return files;
    }

    /** Warnings of the tool's own may stand before the object, and objects of others than cards in it. */
    private List<RocmSmiCard> cards() {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(QUERY);
        CommandRunner.Result result = runner.run(words);
        String output = result.output();
        int start = output.indexOf('{');
        try {
            JsonNode json = start < 0 ? MAPPER.missingNode() : MAPPER.readTree(output.substring(start));
            if (json.isObject()) {
                List<RocmSmiCard> cards = new ArrayList<>();
                json.fields().forEachRemaining(entry -> RocmSmiCard.of(entry.getKey(), entry.getValue())
                        .ifPresent(cards::add));
                cards.sort(Comparator.comparingInt(RocmSmiCard::index));
                return cards;
            }
        } catch (JsonProcessingException e) {
            // Complained about below, as what is no JSON at all.
        }
        throw new DeviceProviderException(command + " exited with " + result.exitStatus() + " and printed no JSON: "
                + output.trim().lines().limit(3).reduce((a, b) -> a + " " + b).orElse("nothing")
                + ".\nMaybe the amdgpu driver is not loaded; '" + command + "' by hand must list the GPUs");
    }
}
