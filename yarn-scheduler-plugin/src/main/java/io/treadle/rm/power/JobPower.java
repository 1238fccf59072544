// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import java.util.OptionalDouble;

/**
 * What an application draws and has spent.
 *
 * @param watts of the GPUs that it holds now, W
 * @param joules of all GPUs that it has held, J
 * @param joulesPerSample J for each sample that it has processed; empty where it does not say how many
 */
public record JobPower(Owner owner, double watts, double joules, OptionalDouble joulesPerSample) {}
