// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

/**
 * Power limits of one device, mW.
 *
 * @param minMilliwatts the least that can be set
 * @param maxMilliwatts the most that can be set
 * @param defaultMilliwatts what the device begins with when its driver is loaded
 * @param setMilliwatts what is set now
 * @param enforcedMilliwatts what is enforced now: the least of what is set and of limits that others impose
 */
public record PowerLimits(
        long minMilliwatts, long maxMilliwatts, long defaultMilliwatts, long setMilliwatts, long enforcedMilliwatts) {}
