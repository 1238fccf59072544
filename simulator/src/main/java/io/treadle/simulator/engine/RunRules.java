// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import io.treadle.core.placement.Placement;
import java.util.Optional;

/**
 * What a run under one policy may do, for those who check it.
 *
 * @param placement finds nodes for its jobs
 * @param mayIdle why a job may wait though there is room for it; empty where none may
 * @param leases whether jobs run in leases of whole iterations
 * @param lateMs how long a job holds its GPUs after it has done all, ms
 */
public record RunRules(Placement placement, Optional<String> mayIdle, boolean leases, long lateMs) {}
