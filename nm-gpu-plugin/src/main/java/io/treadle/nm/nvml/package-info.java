/** The NVIDIA driver, spoken to through NVML. */
@NullMarked
package io.treadle.nm.nvml;

import org.jspecify.annotations.NullMarked;
