// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerActuatorChoice;
import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.ProcessCommandRunner;
import java.util.ArrayList;
import java.util.List;

/** Makes the actuators that the settings name, in the order in which they are tried. */
final class Actuators {
    private Actuators() {}

    /** Always ends with the one that only observes. Simulated devices have no root and no daemon: they set themselves. */
    static List<GpuPowerActuator> of(NodeConf conf, DeviceProvider provider) {
        List<GpuPowerActuator> order = new ArrayList<>();
        for (PowerActuatorChoice choice : tried(conf.power().actuator(), provider)) {
            order.add(make(choice, conf, provider));
        }
        if (conf.power().actuator() != PowerActuatorChoice.OBSERVE) {
            order.add(new ObserveActuator(provider));
        }
        return order;
    }

    private static List<PowerActuatorChoice> tried(PowerActuatorChoice wanted, DeviceProvider provider) {
        if (wanted != PowerActuatorChoice.AUTO) {
            return List.of(wanted);
        }
        return provider.simulated()
                ? List.of(PowerActuatorChoice.SIMULATED)
                : List.of(
                        PowerActuatorChoice.NVML,
                        PowerActuatorChoice.HELPER,
                        PowerActuatorChoice.ZEUSD,
                        PowerActuatorChoice.NVIDIA_SMI);
    }

    private static GpuPowerActuator make(PowerActuatorChoice choice, NodeConf conf, DeviceProvider provider) {
        PowerConf power = conf.power();
        return switch (choice) {
            case NVML, SIMULATED -> new DriverActuator(choice.spelled(), provider);
            case HELPER -> new HelperActuator(power.helperSocket(), power.socketTimeoutMs());
            case ZEUSD -> new ZeusdActuator(power.zeusdSocket(), power.socketTimeoutMs(), provider);
            case NVIDIA_SMI ->
                new NvidiaSmiActuator(
                        power.nvidiaSmiCommand().isEmpty() ? List.of(conf.nvidiaSmi()) : power.nvidiaSmiCommand(),
                        new ProcessCommandRunner(conf.nvidiaSmiTimeoutMs()),
                        provider);
            case AUTO, OBSERVE -> new ObserveActuator(provider);
        };
    }
}
