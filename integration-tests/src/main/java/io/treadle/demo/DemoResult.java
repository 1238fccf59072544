// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Everything that the report shows.
 *
 * @param hadoop version of Hadoop
 * @param seed from which the mix was drawn
 * @param coresPerVcore part of a real core for which a vcore stood
 * @param policies policies in the order of their runs; the last is what the others are compared with
 * @param jobs jobs of all runs, in the order of their runs and arrivals
 * @param testAccuracy of the PyTorch demo, 0 to 1; empty for the mix
 */
public record DemoResult(
        String hadoop,
        long seed,
        double coresPerVcore,
        List<Node> nodes,
        List<String> policies,
        List<Job> jobs,
        OptionalDouble testAccuracy) {

    public DemoResult {
        nodes = List.copyOf(nodes);
        policies = List.copyOf(policies);
        jobs = List.copyOf(jobs);
    }

    /** @param capacity amounts by YARN's resource names */
    public record Node(String name, Map<String, Long> capacity, List<Device> devices) {
        public Node {
            capacity = new LinkedHashMap<>(capacity);
            devices = List.copyOf(devices);
        }
    }

    public record Device(String uuid, String model, long memoryMiB, boolean simulated) {}

    /**
     * @param gang {@code 2/2}: tasks that ran of tasks asked for
     * @param samples samples done
     * @param arrivalSeconds submission, seconds after its run began
     * @param jctSeconds from submission to end
     * @param cpuSeconds CPU time that its workers used
     * @param vcoreSeconds vcores that they held, over time
     * @param restarts how often workers were started again
     * @param spans what it held when, seconds after its run began
     */
    public record Job(
            String applicationId,
            String name,
            String queue,
            String policy,
            String finalStatus,
            String gang,
            long samples,
            double arrivalSeconds,
            double jctSeconds,
            double cpuSeconds,
            double vcoreSeconds,
            int restarts,
            List<Point> profile,
            List<Resize> resizes,
            List<Span> spans) {
        public Job {
            profile = profile.stream()
                    .sorted(Comparator.comparingLong(Point::vcores))
                    .toList();
            resizes = List.copyOf(resizes);
            spans = List.copyOf(spans);
        }

        public boolean succeeded() {
            return finalStatus.equals("SUCCEEDED");
        }

        long schedulerResizes() {
            return resizes.stream()
                    .filter(resize -> resize.by().equals("scheduler"))
                    .count();
        }
    }

    /** @param samplesPerSecond speed of the whole job with so many vcores for each worker */
    public record Point(long vcores, double samplesPerSecond) {}

    /**
     * @param atSeconds seconds after the job's start
     * @param from vcores before
     * @param to vcores after
     * @param by {@code scheduler} or {@code profiler}
     * @param before samples a second before; 0 where not measured
     * @param after samples a second after; 0 where not measured
     */
    public record Resize(
            String containerId, double atSeconds, long from, long to, String by, double before, double after) {}

    /** What a job held from {@code fromSeconds} to {@code toSeconds}. */
    public record Span(double fromSeconds, double toSeconds, int vcores, int gpus, List<String> nodes) {
        public Span {
            nodes = List.copyOf(nodes);
        }
    }

    List<Job> jobsUnder(String policy) {
        return jobs.stream().filter(job -> job.policy().equals(policy)).toList();
    }

    /** Mean completion time under a policy, seconds; NaN where no job ran under it. */
    double meanJctSeconds(String policy) {
        return jobsUnder(policy).stream().mapToDouble(Job::jctSeconds).average().orElse(Double.NaN);
    }

    /** How much sooner jobs end under the first policy than under the last; 1 where there is only one. */
    double ratio() {
        return meanJctSeconds(policies.get(policies.size() - 1)) / meanJctSeconds(policies.get(0));
    }

    /** The same job under another policy. */
    OptionalDouble jctSeconds(String name, String policy) {
        return jobsUnder(policy).stream()
                .filter(job -> job.name().equals(name))
                .mapToDouble(Job::jctSeconds)
                .findFirst();
    }
}
