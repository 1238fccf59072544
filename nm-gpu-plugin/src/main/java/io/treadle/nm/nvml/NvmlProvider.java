// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.DividedCards;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.MigShare;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimits;
import io.treadle.nm.device.ProcessUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NVIDIA GPUs through NVML. While a GPU is missing NVML is started anew every now and then: one that was reset answers
 * only to a fresh start of the library.
 */
public final class NvmlProvider implements DeviceProvider {
    /** Readings between two fresh starts of the library while a GPU is missing. */
    static final int READINGS_PER_RESTART = 15;

    private static final Logger LOG = LoggerFactory.getLogger(NvmlProvider.class);
    private static final int TEXT_BYTES = 96;

    private final NvmlLibrary nvml;
    private final NvmlMemory memory;
    private final NvmlPower limits;
    private final NvmlProcesses processes;
    private final NvmlMig mig;
    private final DividedCards divided = new DividedCards();
    /** Of MIG instances, by UUID; fixed at start. */
    private final Map<String, MigShare> shares = new HashMap<>();
    /** Cards that MIG divides, by their UUID. */
    private final Map<String, Pointer> cards = new HashMap<>();

    private final List<String> remarks = new ArrayList<>();
    private final List<GpuDevice> devices;
    private final List<String> leftOutAtStart;
    private final Map<String, Pointer> handles = new LinkedHashMap<>();
    private final Map<Integer, String> leftOut = new TreeMap<>();
    private final Set<String> newcomers = new HashSet<>();
    private boolean missing;
    private int readingsSinceRestart;
    private boolean hasEnergyCounters = true;

    private NvmlProvider(NvmlLibrary nvml) {
        this.nvml = nvml;
        this.memory = new NvmlMemory(nvml);
        this.limits = new NvmlPower(nvml);
        this.processes = new NvmlProcesses(nvml);
        this.mig = new NvmlMig(nvml);
        this.devices = List.copyOf(find());
        List<String> texts = new ArrayList<>(remarks);
        leftOut.forEach((gpu, why) ->
                texts.add("GPU " + gpu + " is left out: " + why + ".\nMaybe reset it, then restart the NodeManager"));
        this.leftOutAtStart = List.copyOf(texts);
    }

    /**
     * @param library name for the loader, or absolute path
     * @throws DeviceProviderException if the library is not there, is another, or does not start
     */
    public static NvmlProvider open(String library) {
        checkJna();
        NvmlLibrary nvml;
        try {
            nvml = Native.load(library, NvmlLibrary.class);
        } catch (LinkageError e) {
            throw new DeviceProviderException(
                    "no library " + library + ": no NVIDIA driver on this node (" + reason(e) + ")", e);
        }
        try {
            start(nvml);
            return new NvmlProvider(nvml);
        } catch (LinkageError e) {
            throw new DeviceProviderException(
                    "library " + library + " has not the functions of NVML (" + reason(e) + ").\nMaybe "
                            + NodeConf.NVML_LIBRARY + " names another library, or the driver is very old",
                    e);
        }
    }

    /** JNA unpacks a library of its own first; that this fails says nothing about the driver. */
    private static void checkJna() {
        try {
            Native.getNativeSize(int.class);
        } catch (LinkageError e) {
            throw new DeviceProviderException(
                    "JNA cannot load its own library (" + reason(e) + ").\nMaybe /tmp is mounted noexec or is full:"
                            + " give the JVM -Djna.tmpdir=<directory>",
                    e);
        }
    }

    /** The first line that says something: JNA's own is a heading. */
    private static String reason(LinkageError e) {
        return String.valueOf(e.getMessage())
                .lines()
                .filter(line -> !line.endsWith(":"))
                .findFirst()
                .orElse("")
                .strip();
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
    public List<String> leftOut() {
        return leftOutAtStart;
    }

    @Override
    public Map<String, DeviceReading> read(Set<String> held) {
        if (missing || !leftOut.isEmpty()) {
            readingsSinceRestart++;
        }
        if (readingsSinceRestart == READINGS_PER_RESTART) {
            readingsSinceRestart = 0;
            nvml.nvmlShutdown();
        }
        if (nvml.nvmlDeviceGetCount_v2(new IntByReference()) == NvmlStatus.UNINITIALIZED) {
            start(nvml);
            find().forEach(this::welcome);
        }
        Map<String, DeviceReading> readings = new LinkedHashMap<>();
        Map<String, DeviceReading> ofCards = new HashMap<>();
        for (GpuDevice device : devices) {
            Pointer handle = handles.get(device.uuid());
            MigShare share = shares.get(device.uuid());
            readings.put(
                    device.uuid(),
                    share == null
                            ? ofWhole(device, handle)
                            : share.reading(
                                    ofCards.computeIfAbsent(share.card(), uuid -> reading(cards.get(uuid))),
                                    memoryUsed(handle)));
        }
        missing = readings.values().stream().anyMatch(DeviceReading::lost);
        return readings;
    }

    /** A GPU that did not answer at start is in no capacity that this NodeManager has registered. */
    private void welcome(GpuDevice found) {
        if (devices.stream().noneMatch(d -> d.uuid().equals(found.uuid())) && newcomers.add(found.uuid())) {
            LOG.warn(
                    "GPU {} ({}) answers now, which did not at start: containers do not get it.\nMaybe restart the"
                            + " NodeManager, which then registers it",
                    found.index(),
                    found.uuid());
        }
    }

    @Override
    public Map<String, List<ProcessUse>> processes(Map<String, List<String>> holders) {
        Map<String, List<ProcessUse>> found = new LinkedHashMap<>();
        for (String uuid : holders.keySet()) {
            Pointer device = handles.get(uuid);
            // Of instances the driver tells no processes.
            if (device != null && !shares.containsKey(uuid)) {
                processes.since(uuid, device).ifPresent(uses -> found.put(uuid, uses));
            }
        }
        return found;
    }

    @Override
    public PowerLimits limits(String uuid) throws PowerLimitException {
        return limits.limits(handle(uuid));
    }

    @Override
    public void setLimit(String uuid, long milliwatts) throws PowerLimitException {
        limits.setLimit(handle(uuid), milliwatts);
    }

    private Pointer handle(String uuid) throws PowerLimitException {
        MigShare share = shares.get(uuid);
        if (share != null) {
            throw share.noLimits();
        }
        Pointer device = handles.get(uuid);
        if (device == null) {
            throw new PowerLimitException(PowerLimitException.Reason.LOST, "NVML finds no GPU " + uuid);
        }
        return device;
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
        cards.clear();
        leftOut.clear();
        remarks.clear();
        int place = 0;
        for (int index = 0; index < count.getValue(); index++) {
            try {
                place = Math.max(place, index);
                List<GpuDevice> ofBoard = identify(index, place);
                found.addAll(ofBoard);
                place += ofBoard.size();
            } catch (NvmlCallException e) {
                leftOut.put(index, String.valueOf(e.getMessage()));
            }
        }
        return found;
    }

    /** The board, or the instances into which MIG divides it. */
    private List<GpuDevice> identify(int index, int place) throws NvmlCallException {
        PointerByReference handle = new PointerByReference();
        check(nvml.nvmlDeviceGetHandleByIndex_v2(index, handle));
        Pointer board = handle.getValue();
        if (!mig.isEnabled(board)) {
            GpuDevice device = identify(board, place, limitWatts(board));
            handles.put(device.uuid(), board);
            return List.of(device);
        }
        String card = uuid(board);
        cards.put(card, board);
        List<GpuDevice> instances = new ArrayList<>();
        for (Pointer instance : mig.instances(board)) {
            GpuDevice device = identify(instance, place + instances.size(), 0);
            handles.put(device.uuid(), instance);
            instances.add(device);
        }
        remarks.add(MigShare.remark(index, instances.size()));
        MigShare.of(card, instances).forEach(shares::putIfAbsent);
        double watts = limitWatts(board);
        return instances.stream().map(i -> withPartOfLimit(i, watts)).toList();
    }

    private GpuDevice withPartOfLimit(GpuDevice instance, double watts) {
        MigShare share = shares.get(instance.uuid());
        return new GpuDevice(
                instance.uuid(),
                instance.index(),
                // Drivers before 470 give an instance the name of its card.
                instance.model().contains("MIG") ? instance.model() : instance.model() + " MIG",
                instance.memoryMiB(),
                share == null ? 0 : watts * share.share());
    }

    private GpuDevice identify(Pointer device, int place, double limitWatts) throws NvmlCallException {
        byte[] name = new byte[TEXT_BYTES];
        check(nvml.nvmlDeviceGetName(device, name, TEXT_BYTES));
        NvmlMemory.Reading size = memory.read(device);
        check(size.status());
        return new GpuDevice(uuid(device), place, Native.toString(name), size.totalMiB(), limitWatts);
    }

    private String uuid(Pointer device) throws NvmlCallException {
        byte[] uuid = new byte[TEXT_BYTES];
        check(nvml.nvmlDeviceGetUUID(device, uuid, TEXT_BYTES));
        return Native.toString(uuid);
    }

    /** MiB; empty for an instance that was taken away. */
    private OptionalLong memoryUsed(@Nullable Pointer instance) {
        if (instance == null) {
            return OptionalLong.empty();
        }
        NvmlMemory.Reading used = memory.read(instance);
        return used.status() == NvmlStatus.SUCCESS ? OptionalLong.of(used.usedMiB()) : OptionalLong.empty();
    }

    private DeviceReading ofWhole(GpuDevice card, @Nullable Pointer handle) {
        if (handle != null) {
            divided.look(card, mig.isEnabled(handle));
        }
        return divided.isLost(card) ? DeviceReading.LOST : reading(handle);
    }

    private DeviceReading reading(@Nullable Pointer device) {
        if (device == null) {
            return DeviceReading.LOST;
        }
        NvmlMemory.Reading used = memory.read(device);
        if (NvmlStatus.isGone(used.status())) {
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
        return new DeviceReading(
                false,
                power == NvmlStatus.SUCCESS ? milliwatts.getValue() / 1000.0 : 0,
                limitWatts(device),
                hasRates ? rates[0] : 0,
                used.usedMiB(),
                hasCelsius ? celsius.getValue() : 0,
                energyMillijoules(device),
                limits.smMegahertz(device),
                limits.throttle(device),
                limits.enforced(device).orElse(0) / 1000.0);
    }

    /** Boards before Volta have no counter, and drivers of their time not even the function. */
    private long energyMillijoules(Pointer device) {
        LongByReference energy = new LongByReference();
        try {
            if (hasEnergyCounters && nvml.nvmlDeviceGetTotalEnergyConsumption(device, energy) == NvmlStatus.SUCCESS) {
                return energy.getValue();
            }
        } catch (UnsatisfiedLinkError e) {
            LOG.info("this driver knows no energy counters ({}): draw is added up instead", reason(e));
            hasEnergyCounters = false;
        }
        return DeviceReading.NO_COUNTER;
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
