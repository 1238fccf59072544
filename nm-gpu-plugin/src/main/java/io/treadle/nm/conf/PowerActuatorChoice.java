// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

/** What sets the power caps of the node's GPUs. */
public enum PowerActuatorChoice {
    /** The first of NVML, the helper, zeusd and nvidia-smi that may; simulated ones for simulated devices. */
    AUTO,
    NVML,
    HELPER,
    ZEUSD,
    NVIDIA_SMI,
    SIMULATED,
    /** No limit is ever changed; wanted caps are reported as not in force. */
    OBSERVE;

    /** The word by which people know it. */
    public String spelled() {
        return Settings.spell(this);
    }
}
