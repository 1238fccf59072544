// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.ProviderChoice;
import io.treadle.nm.nvml.NvmlProvider;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Opens the provider that the settings name, or the first that works. */
public final class DeviceProbe {
    /**
     * @param provider what was opened; {@link NoDevices} where nothing was
     * @param notes what was tried and gave no devices, or not all, and why; one text each
     * @param broken whether the one provider that the settings name could not be opened; never for auto
     */
    public record Discovery(DeviceProvider provider, List<String> notes, boolean broken) {
        public Discovery {
            notes = List.copyOf(notes);
        }
    }

    private DeviceProbe() {}

    /**
     * A provider that cannot be opened leaves a CPU node and a note. Auto tries NVML, nvidia-smi and rocm-smi, never
     * simulated devices.
     */
    public static Discovery discover(NodeConf conf, Clock clock) {
        List<ProviderChoice> order =
                switch (conf.provider()) {
                    case AUTO -> List.of(ProviderChoice.NVML, ProviderChoice.NVIDIA_SMI, ProviderChoice.ROCM_SMI);
                    case NONE -> List.of();
                    default -> List.of(conf.provider());
                };
        List<String> notes = new ArrayList<>();
        boolean broken = false;
        for (ProviderChoice choice : order) {
            try {
                DeviceProvider provider = open(choice, conf, clock);
                provider.leftOut().forEach(text -> notes.add(provider.name() + ": " + text));
                if (!provider.devices().isEmpty()) {
                    return new Discovery(provider, notes, false);
                }
                notes.add(provider.name() + ": works, and finds no devices");
                provider.close();
            } catch (DeviceProviderException e) {
                notes.add(choice.spelled() + ": " + e.getMessage());
                broken = conf.provider() != ProviderChoice.AUTO;
            }
        }
        if (order.isEmpty()) {
            notes.add(NodeConf.DEVICE_PROVIDER + " is none");
        }
        return new Discovery(new NoDevices(), notes, broken);
    }

    private static DeviceProvider open(ProviderChoice choice, NodeConf conf, Clock clock) {
        return switch (choice) {
            case NVML ->
                LimitedProvider.open(
                        choice.spelled(), () -> NvmlProvider.open(conf.nvmlLibrary()), conf.nvidiaSmiTimeoutMs());
            case NVIDIA_SMI ->
                NvidiaSmiProvider.open(conf.nvidiaSmi(), new ProcessCommandRunner(conf.nvidiaSmiTimeoutMs()));
            case ROCM_SMI -> RocmSmiProvider.open(conf.rocmSmi(), new ProcessCommandRunner(conf.nvidiaSmiTimeoutMs()));
            case SIMULATED -> SimulatedProvider.open(conf, clock);
            case FILE -> FileProvider.open(conf);
            case AUTO, NONE -> new NoDevices();
        };
    }
}
