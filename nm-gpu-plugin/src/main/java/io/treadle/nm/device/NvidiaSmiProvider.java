// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Devices as {@code nvidia-smi} prints them, for nodes where NVML cannot be loaded. It has no energy counter. */
public final class NvidiaSmiProvider implements DeviceProvider {
    private static final List<String> QUERY = List.of(
            "index",
            "uuid",
            "name",
            "memory.total",
            "memory.used",
            "power.draw",
            "power.limit",
            "utilization.gpu",
            "temperature.gpu");
    /** A driver that knows no MIG refuses the whole query for it. */
    private static final String MIG_MODE = "mig.mode.current";

    private static final List<String> LIMITS =
            List.of("power.min_limit", "power.max_limit", "power.default_limit", "power.limit", "enforced.power.limit");

    private final CommandRunner runner;
    private final String command;
    private final List<GpuDevice> devices;
    private final NvidiaSmiMig mig;

    private NvidiaSmiProvider(CommandRunner runner, String command, List<GpuDevice> devices, NvidiaSmiMig mig) {
        this.runner = runner;
        this.command = command;
        this.devices = devices;
        this.mig = mig;
    }

    /** @throws DeviceProviderException if the command is not there, fails, or prints something else */
    public static NvidiaSmiProvider open(String command, CommandRunner runner) {
        List<GpuDevice> devices = new ArrayList<>();
        for (List<String> row : rows(command, runner, QUERY)) {
            devices.add(new GpuDevice(
                    row.get(1),
                    (int) number(row.get(0)),
                    row.get(2),
                    Math.round(number(row.get(3))),
                    number(row.get(6))));
        }
        NvidiaSmiMig mig = NvidiaSmiMig.of(devices, command, runner);
        return new NvidiaSmiProvider(runner, command, mig.divide(devices), mig);
    }

    @Override
    public String name() {
        return "nvidia-smi";
    }

    @Override
    public List<GpuDevice> devices() {
        return devices;
    }

    @Override
    public List<String> leftOut() {
        return mig.remarks();
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        Map<String, DeviceReading> found = new LinkedHashMap<>();
        List<String> query = new ArrayList<>(QUERY);
        if (mig.mayDivide()) {
            query.add(MIG_MODE);
        }
        Map<String, String> modes = new HashMap<>();
        for (List<String> row : rows(command, runner, query)) {
            modes.put(row.get(1), row.get(row.size() - 1));
            ToDoubleFunction<Integer> column = i -> number(row.get(i));
            found.put(
                    row.get(1),
                    new DeviceReading(
                            row.get(3).contains("lost"),
                            column.applyAsDouble(5),
                            column.applyAsDouble(6),
                            column.applyAsDouble(7),
                            Math.round(column.applyAsDouble(4)),
                            column.applyAsDouble(8),
                            DeviceReading.NO_COUNTER));
        }
        Map<String, DeviceReading> readings = new LinkedHashMap<>();
        found.putAll(mig.readings(found));
        if (mig.mayDivide()) {
            found.putAll(mig.lost(devices, modes));
        }
        devices.forEach(d -> readings.put(d.uuid(), found.getOrDefault(d.uuid(), DeviceReading.LOST)));
        return readings;
    }

    /** One run for all, which takes a second. Of a process that has used nothing it prints "-". */
    @Override
    public Map<String, List<ProcessUse>> processes(Map<String, List<String>> holders) {
        List<GpuDevice> asked =
                devices.stream().filter(d -> holders.containsKey(d.uuid())).toList();
        // It tells processes by the numbers of cards, which are not those of devices where some card is divided.
        if (asked.isEmpty() || mig.divides()) {
            return Map.of();
        }
        CommandRunner.Result result = runner.run(List.of(
                command,
                "pmon",
                "-c",
                "1",
                "-s",
                "u",
                "-i",
                asked.stream().map(d -> Integer.toString(d.index())).collect(Collectors.joining(","))));
        return result.exitStatus() == 0 ? NvidiaSmiProcesses.parse(result.output(), asked) : Map.of();
    }

    @Override
    public PowerLimits limits(String uuid) throws PowerLimitException {
        Optional<MigShare> share = mig.share(uuid);
        if (share.isPresent()) {
            throw share.get().noLimits();
        }
        CommandRunner.Result result;
        try {
            result = runner.run(List.of(
                    command, "-i", uuid, "--query-gpu=" + String.join(",", LIMITS), "--format=csv,noheader,nounits"));
        } catch (DeviceProviderException e) {
            throw new PowerLimitException(PowerLimitException.Reason.FAILED, String.valueOf(e.getMessage()), e);
        }
        if (result.exitStatus() != 0) {
            throw NvidiaSmiRefusal.of(command, result);
        }
        List<String> columns = List.of(result.output().strip().split("\\s*,\\s*"));
        long[] milliwatts =
                columns.stream().mapToLong(c -> Math.round(number(c) * 1000)).toArray();
        if (milliwatts.length != LIMITS.size() || milliwatts[1] <= 0 || milliwatts[3] <= 0) {
            throw new PowerLimitException(
                    PowerLimitException.Reason.NOT_SUPPORTED,
                    command + " knows no power limits of " + uuid + ": "
                            + result.output().strip());
        }
        return new PowerLimits(
                milliwatts[0],
                milliwatts[1],
                milliwatts[2] > 0 ? milliwatts[2] : milliwatts[1],
                milliwatts[3],
                milliwatts[4] > 0 ? milliwatts[4] : milliwatts[3]);
    }

    /**
     * A GPU that is lost has no row: nvidia-smi then complains of it on a line of its own and goes on, and its exit
     * status may be other than 0. So rows count, and only their absence with a bad status is a failure.
     */
    private static List<List<String>> rows(String command, CommandRunner runner, List<String> query) {
        CommandRunner.Result result =
                runner.run(List.of(command, "--query-gpu=" + String.join(",", query), "--format=csv,noheader,nounits"));
        List<List<String>> rows = new ArrayList<>();
        for (String line : result.output().split("\n")) {
            List<String> columns = List.of(line.trim().split("\\s*,\\s*"));
            if (columns.size() == query.size() && columns.get(1).startsWith("GPU-")) {
                rows.add(columns);
            }
        }
        boolean saysNone = result.output().contains("No devices were found");
        if (rows.isEmpty() && (result.exitStatus() != 0 || !result.output().isBlank()) && !saysNone) {
            throw new DeviceProviderException(command + " exited with " + result.exitStatus() + ": "
                    + result.output().trim() + ".\nMaybe the NVIDIA driver is not loaded or was updated"
                    + " without a reboot; 'nvidia-smi' by hand must list the GPUs");
        }
        return rows;
    }

    /** {@code [N/A]}, {@code [Not Supported]} and {@code [Unknown Error]} count as 0: the figure cannot be read. */
    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
