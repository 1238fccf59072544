// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

/** Where the node's devices come from. */
public enum ProviderChoice {
    /** NVML, then nvidia-smi, then rocm-smi; never simulated. */
    AUTO,
    NVML,
    NVIDIA_SMI,
    ROCM_SMI,
    SIMULATED,
    FILE,
    /** A CPU node, whatever hardware is there. */
    NONE;

    /** The word by which people know it. */
    public String spelled() {
        return Settings.spell(this);
    }
}
