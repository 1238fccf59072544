// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.StringJoiner;

/** The table at the end: completion times under each policy, and what the resizes did. */
final class ComparisonText {
    private ComparisonText() {}

    static List<String> lines(DemoResult result) {
        List<String> lines = new ArrayList<>();
        String first = result.policies().get(0);
        String last = result.policies().get(result.policies().size() - 1);
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, " %-18s", ""));
        result.policies().forEach(policy -> head.append(String.format(Locale.ROOT, " %22s", policy)));
        lines.add(head.append(result.policies().size() > 1 ? "   ratio" : "").toString());
        StringBuilder mean = new StringBuilder(String.format(Locale.ROOT, " %-18s", "mean completion"));
        result.policies()
                .forEach(policy -> mean.append(String.format(Locale.ROOT, " %20.1f s", result.meanJctSeconds(policy))));
        lines.add(mean.append(ratio(result, result.ratio())).toString());
        for (String name : names(result)) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, " %-18s", name));
            for (String policy : result.policies()) {
                OptionalDouble seconds = result.jctSeconds(name, policy);
                line.append(
                        seconds.isPresent()
                                ? String.format(Locale.ROOT, " %20.1f s", seconds.getAsDouble())
                                : String.format(Locale.ROOT, " %22s", "–"));
            }
            double here = result.jctSeconds(name, first).orElse(Double.NaN);
            lines.add(line.append(ratio(result, result.jctSeconds(name, last).orElse(Double.NaN) / here))
                    .toString());
        }
        return lines;
    }

    private static String ratio(DemoResult result, double ratio) {
        return result.policies().size() > 1 ? String.format(Locale.ROOT, "   %5.2f", ratio) : "";
    }

    static Set<String> names(DemoResult result) {
        Set<String> names = new LinkedHashSet<>();
        result.jobs().forEach(job -> names.add(job.name()));
        return names;
    }

    /** What moved under the first policy: one line for each job that the scheduler resized, and one for all. */
    static List<String> moves(DemoResult result) {
        List<String> lines = new ArrayList<>();
        int resizes = 0;
        for (DemoResult.Job job : result.jobsUnder(result.policies().get(0))) {
            resizes += job.resizes().size();
            lines.addAll(describe(job));
        }
        lines.add(String.format(
                Locale.ROOT,
                " %d resizes in place, %d of them by the scheduler; workers were started again %d times",
                resizes,
                scheduled(result),
                result.jobsUnder(result.policies().get(0)).stream()
                        .mapToInt(DemoResult.Job::restarts)
                        .sum()));
        return lines;
    }

    private static long scheduled(DemoResult result) {
        return result.jobsUnder(result.policies().get(0)).stream()
                .mapToLong(DemoResult.Job::schedulerResizes)
                .sum();
    }

    /** What the scheduler did to a job's first worker: the others of a gang go the same way. */
    private static List<String> describe(DemoResult.Job job) {
        List<DemoResult.Resize> steps = job.resizes().stream()
                .filter(resize -> resize.by().equals("scheduler"))
                .toList();
        if (steps.isEmpty()) {
            return List.of();
        }
        String worker = steps.get(0).containerId();
        StringBuilder sizes = new StringBuilder().append(steps.get(0).from());
        double before = steps.get(0).before();
        double after = 0;
        for (DemoResult.Resize step : steps) {
            if (step.containerId().equals(worker)) {
                sizes.append(" → ").append(step.to());
                after = step.after() > 0 ? step.after() : after;
            }
        }
        String speeds =
                before > 0 && after > 0 ? String.format(Locale.ROOT, " (%.0f → %.0f samples/s)", before, after) : "";
        return List.of(String.format(Locale.ROOT, " %-18s %s vcores%s", job.name(), sizes, speeds));
    }

    /** How the CPU time that workers used compares with what their vcores stood for, in all and for each job. */
    static String cpu(DemoResult result) {
        double used = 0;
        double held = 0;
        StringJoiner byJob = new StringJoiner(", ");
        for (DemoResult.Job job : result.jobs()) {
            if (job.vcoreSeconds() > 0) {
                used += job.cpuSeconds();
                held += job.vcoreSeconds();
                if (job.policy().equals(result.policies().get(0))) {
                    double part = job.cpuSeconds() / (job.vcoreSeconds() * result.coresPerVcore());
                    byJob.add(String.format(Locale.ROOT, "%s %.2f", job.name(), part));
                }
            }
        }
        return held == 0
                ? " CPU time of the workers was not measured"
                : String.format(
                        Locale.ROOT,
                        " CPU time: workers used %.1f s in %.0f vcore-seconds of %.3f cores each; of its share under %s: %s",
                        used,
                        held,
                        result.coresPerVcore(),
                        result.policies().get(0),
                        byJob);
    }
}
