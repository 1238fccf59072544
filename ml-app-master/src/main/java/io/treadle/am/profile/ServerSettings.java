// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.PsSizes;

/**
 * How the speed of a job with parameter servers is measured.
 *
 * @param probes whether sizes are asked for that the job would not have had; else it is measured at those that it gets
 * @param mode whether workers wait for each other in each step
 * @param sizes numbers of workers and servers that the job may have
 * @param seconds how long a size is measured at least
 */
public record ServerSettings(boolean probes, Mode mode, PsSizes sizes, double seconds) {}
