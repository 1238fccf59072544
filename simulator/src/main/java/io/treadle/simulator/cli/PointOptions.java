// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.replay.ReplayRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The options of a simulation that decide its results beside the policy: a point of a sweep is told in them. */
@Command
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class PointOptions {
    @Mixin
    private ReplayOptions jobsAndCluster;

    @Mixin
    private EngineOptions engine;

    ReplayRequest request() {
        return jobsAndCluster.request();
    }

    SimulationOptions options() {
        return engine.options();
    }
}
