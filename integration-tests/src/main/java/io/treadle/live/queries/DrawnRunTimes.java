// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.core.query.QueryTask;
import io.treadle.simulator.query.engine.RunTimes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * Run times drawn from those that a service has seen, each task's by itself: how they spread makes queries wait, as in
 * M/G/1, where the mean wait grows with the square of their variation. Their mean is the profile's, whatever the sample's is.
 */
record DrawnRunTimes(ServiceProfile profile, long seed) implements RunTimes {
    @Override
    public double ms(String query, String workflow, QueryTask task) {
        ServiceProfile.Runs runs = profile.tasks().get(workflow + "/" + task.name());
        if (runs == null || runs.quantilesMs().size() < 2) {
            return task.runMs();
        }
        CRC32 name = new CRC32();
        name.update((query + "/" + workflow + "/" + task.id()).getBytes(StandardCharsets.UTF_8));
        double part = new SplittableRandom(seed ^ name.getValue()).nextDouble();
        double mean = mean(runs.quantilesMs());
        return mean > 0 ? at(runs.quantilesMs(), part) * task.runMs() / mean : task.runMs();
    }

    /** Between quantiles they are taken to be spread evenly. */
    private static double at(List<Double> quantiles, double part) {
        double place = part * (quantiles.size() - 1);
        int below = (int) Math.min(quantiles.size() - 2, Math.floor(place));
        double least = quantiles.get(below);
        return least + (place - below) * (quantiles.get(below + 1) - least);
    }

    private static double mean(List<Double> quantiles) {
        double sum = 0;
        for (int i = 1; i < quantiles.size(); i++) {
            sum += (quantiles.get(i - 1) + quantiles.get(i)) / 2;
        }
        return sum / (quantiles.size() - 1);
    }
}
