// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.smd;

import io.treadle.simulator.engine.Compat;
import io.treadle.simulator.engine.Costs;
import io.treadle.simulator.engine.JobRun;
import io.treadle.simulator.engine.MeasuredJobs;
import io.treadle.simulator.engine.Outcome;
import io.treadle.simulator.engine.Simulation;
import io.treadle.simulator.engine.SimulationOptions;
import io.treadle.simulator.generate.ServerJobs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What came of jobs that came over time.
 *
 * @param worth what their ends were worth in all
 * @param jctSeconds mean time from submission to end, s
 * @param changes how often a job got another size or other nodes, on average
 * @param stops how often one was stopped, on average
 * @param course what all ends until then were worth, hour by hour
 */
record OnlineRun(double worth, double jctSeconds, double changes, double stops, List<Double> course) {
    private static final long ROUND_MS = 600_000;
    private static final double SECONDS_AN_HOUR = 3600;
    private static final int NODES = 8;

    OnlineRun {
        course = List.copyOf(course);
    }

    static OnlineRun of(String policy, long seed, int jobs, double perHour) {
        SimulationOptions options = new SimulationOptions(Compat.NONE, "auto", false, MeasuredJobs.ALL, ROUND_MS, -1)
                .with(new Costs(Pools.RESCALE_SECONDS, 0, Pools.RESCALE_SECONDS))
                .decidingEvery(ROUND_MS);
        Outcome outcome = new Simulation(Pools.cluster(NODES), ServerJobs.draw(seed, jobs, perHour), options)
                .run(policy, ended -> {});
        List<JobRun> runs = outcome.jobs();
        return new OnlineRun(
                runs.stream().mapToDouble(OnlineRun::worth).sum(),
                runs.stream().mapToDouble(OnlineRun::seconds).average().orElseThrow(),
                runs.stream().mapToInt(JobRun::migrations).average().orElseThrow(),
                runs.stream().mapToInt(JobRun::preemptions).average().orElseThrow(),
                course(runs));
    }

    private static double seconds(JobRun job) {
        if (!job.isEnded()) {
            throw new IllegalStateException("job " + job.job().id() + " never ended");
        }
        return (job.endMs() - job.job().submitMs()) / 1000.0;
    }

    private static double worth(JobRun job) {
        return job.job().sizing().utility().at(seconds(job));
    }

    private static List<Double> course(List<JobRun> runs) {
        List<JobRun> byEnd =
                runs.stream().sorted(Comparator.comparingLong(JobRun::endMs)).toList();
        List<Double> course = new ArrayList<>();
        double sum = 0;
        int next = 0;
        for (int hour = 0; next < byEnd.size(); hour++) {
            while (next < byEnd.size() && byEnd.get(next).endMs() <= hour * SECONDS_AN_HOUR * 1000) {
                sum += worth(byEnd.get(next++));
            }
            course.add(sum);
        }
        return course;
    }
}
