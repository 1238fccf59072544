// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.replay.ReplayRequest;
import io.treadle.simulator.sweep.SweepPoint;
import io.treadle.simulator.trace.Experiment;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** All that decides a run beside the allocation. */
record Setting(JobList list, Servers servers, String order, Rules rules) {
    /** A name for files. */
    String name() {
        return String.join(",", order, list.name(), servers.name(), rules.key());
    }

    String policy(String allocation) {
        return order + "+" + allocation;
    }

    Setting on(JobList other) {
        return new Setting(other, servers, order, rules);
    }

    /**
     * What the runs of this setting that place jobs so have in common.
     *
     * @param lists where lists of jobs lie
     * @param clusters where clusters lie
     */
    SweepPoint point(Path lists, Path clusters, MeasuredJobs measured, String placement) {
        return new SweepPoint(
                name() + "," + placement,
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalInt.of(servers.count()),
                new ReplayRequest(
                        list.file(lists),
                        "synergy",
                        false,
                        servers.cluster(clusters),
                        OptionalInt.empty(),
                        Experiment.DEFAULT,
                        OptionalDouble.empty()),
                rules.options(order, placement, list.measured(measured)));
    }
}
