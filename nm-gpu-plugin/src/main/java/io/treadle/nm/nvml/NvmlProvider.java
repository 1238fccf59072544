// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** NVIDIA GPUs through NVML. */
public final class NvmlProvider implements DeviceProvider {
    private static final Logger LOG = LoggerFactory.getLogger(NvmlProvider.class);
    private static final int TEXT_BYTES = 96;
    private static final long BYTES_PER_MIB = 1L << 20;

    private final NvmlLibrary nvml;
    private final List<GpuDevice> devices;
    private final Map<String, Pointer> handles = new LinkedHashMap<>();

    private NvmlProvider(NvmlLibrary nvml) {
        this.nvml = nvml;
        this.devices = List.copyOf(find());
    }

    /**
     * @param library name for the loader, or absolute path
     * @throws DeviceProviderException if the library is not there or does not start
     */
    public static NvmlProvider open(String library) {
        NvmlLibrary nvml;
        try {
            nvml = Native.load(library, NvmlLibrary.class);
        } catch (LinkageError e) {
            throw new DeviceProviderException(
                    "no library " + library + ": no NVIDIA driver on this node ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")",
                    e);
        }
        start(nvml);
        return new NvmlProvider(nvml);
    }

    private static void start(NvmlLibrary nvml) {
        int status = nvml.nvmlInit_v2();
        if (status != NvmlStatus.SUCCESS) {
            throw new DeviceProviderException(NvmlStatus.whyNotStarted(status, nvml.nvmlErrorString(status)));
        }
    }

    @Override
    public String name() {
        return "nvml";
    }

    @Override
    public List<GpuDevice> devices() {
        return devices;
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        IntByReference count = new IntByReference();
        if (nvml.nvmlDeviceGetCount_v2(count) == NvmlStatus.UNINITIALIZED) {
            start(nvml);
            find();
        }
        Map<String, DeviceReading> readings = new LinkedHashMap<>();
        devices.forEach(d -> readings.put(d.uuid(), reading(handles.get(d.uuid()))));
        return readings;
    }

    @Override
    public void close() {
        nvml.nvmlShutdown();
    }

    /** A device that does not answer here has no UUID that could be told: it is left out, alone. */
    private List<GpuDevice> find() {
        IntByReference count = new IntByReference();
        int status = nvml.nvmlDeviceGetCount_v2(count);
        if (status != NvmlStatus.SUCCESS) {
            throw new DeviceProviderException(NvmlStatus.whyNotStarted(status, nvml.nvmlErrorString(status)));
        }
        List<GpuDevice> found = new ArrayList<>();
        handles.clear();
        for (int index = 0; index < count.getValue(); index++) {
            try {
                found.add(identify(index));
            } catch (NvmlCallException e) {
                LOG.error(
                        "GPU {} is left out: {}.\nMaybe reset it, then restart the NodeManager", index, e.getMessage());
            }
        }
        return found;
    }

    private GpuDevice identify(int index) throws NvmlCallException {
        PointerByReference handle = new PointerByReference();
        check(nvml.nvmlDeviceGetHandleByIndex_v2(index, handle));
        byte[] uuid = new byte[TEXT_BYTES];
        check(nvml.nvmlDeviceGetUUID(handle.getValue(), uuid, TEXT_BYTES));
        byte[] name = new byte[TEXT_BYTES];
        check(nvml.nvmlDeviceGetName(handle.getValue(), name, TEXT_BYTES));
        long[] memory = new long[3];
        check(nvml.nvmlDeviceGetMemoryInfo(handle.getValue(), memory));
        handles.put(Native.toString(uuid), handle.getValue());
        return new GpuDevice(
                Native.toString(uuid),
                index,
                Native.toString(name),
                memory[0] / BYTES_PER_MIB,
                limitWatts(handle.getValue()));
    }

    private DeviceReading reading(@Nullable Pointer device) {
        long[] memory = new long[3];
        if (device == null || NvmlStatus.isGone(nvml.nvmlDeviceGetMemoryInfo(device, memory))) {
            return DeviceReading.LOST;
        }
        IntByReference milliwatts = new IntByReference();
        int power = nvml.nvmlDeviceGetPowerUsage(device, milliwatts);
        if (NvmlStatus.isGone(power)) {
            return DeviceReading.LOST;
        }
        int[] rates = new int[2];
        boolean hasRates = nvml.nvmlDeviceGetUtilizationRates(device, rates) == NvmlStatus.SUCCESS;
        IntByReference celsius = new IntByReference();
        boolean hasCelsius = nvml.nvmlDeviceGetTemperature(device, 0, celsius) == NvmlStatus.SUCCESS;
        LongByReference energy = new LongByReference();
        boolean hasEnergy = nvml.nvmlDeviceGetTotalEnergyConsumption(device, energy) == NvmlStatus.SUCCESS;
        return new DeviceReading(
                false,
                power == NvmlStatus.SUCCESS ? milliwatts.getValue() / 1000.0 : 0,
                limitWatts(device),
                hasRates ? rates[0] : 0,
                memory[2] / BYTES_PER_MIB,
                hasCelsius ? celsius.getValue() : 0,
                hasEnergy ? energy.getValue() : DeviceReading.NO_COUNTER);
    }

    private double limitWatts(Pointer device) {
        IntByReference milliwatts = new IntByReference();
        int status = nvml.nvmlDeviceGetPowerManagementLimit(device, milliwatts);
        return status == NvmlStatus.SUCCESS ? milliwatts.getValue() / 1000.0 : 0;
    }

    private void check(int status) throws NvmlCallException {
        if (status != NvmlStatus.SUCCESS) {
            throw new NvmlCallException(status + " (" + nvml.nvmlErrorString(status) + ")");
        }
    }

    /** One call that NVML refused. */
    private static final class NvmlCallException extends Exception {
        private static final long serialVersionUID = 1L;

        NvmlCallException(String message) {
            super(message);
        }
    }
}
