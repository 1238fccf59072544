// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

/**
 * A device, or part of one, that a task holds.
 *
 * @param uuid the device
 * @param memoryMiB the memory held, MiB
 * @param whole whether nobody else may use the device
 */
public record DeviceShare(String uuid, long memoryMiB, boolean whole) {}
