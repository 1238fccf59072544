// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/** By what the energy of a GPU that several containers share is split, as far as it is above the idle draw. */
public enum SharedBy {
    /** By how busy each container's processes keep it. */
    UTILIZATION,
    /** By the memory that each container has of it, as the idle draw always is: nobody can tell who uses it. */
    MEMORY
}
