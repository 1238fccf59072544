// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.bench.Compared;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The lists of 100 jobs that Synergy's artifact ships for its deployments on 32 GPUs. Nobody knows how they were drawn, so
 * they are read where there are copies of them.
 */
final class DeploymentStudy implements Study {
    private static final double HOUR = 3600;
    private static final Servers SERVERS = Servers.SYNERGY_32;
    private static final List<Rules> RULES = List.of(Rules.THEIRS, Rules.OURS);
    private static final List<String> ALLOCATIONS =
            List.of(Allocations.PROPORTIONAL, Allocations.TUNE, Allocations.BALANCED, Allocations.OPT);

    private final List<Deployment> deployments;

    /**
     * @param isMakespan whether what counts is when the last job ends, and not the mean time of a job
     * @param artifact what its synergy-tune gives, h
     */
    private record Deployment(JobList list, String order, boolean isMakespan, String artifact) {
        Setting setting(Rules rules) {
            return new Setting(list, rules == Rules.BOUND ? SERVERS.asOne() : SERVERS, order, rules);
        }

        double hours(Figures figures, Rules rules, String allocation) {
            return isMakespan
                    ? Objects.requireNonNull(
                                    figures.of(setting(rules), allocation).makespanSeconds())
                            / HOUR
                    : figures.meanHours(setting(rules), allocation);
        }

        String words() {
            return list.name() + " " + order + (isMakespan ? ": makespan" : ": mean JCT");
        }
    }

    private DeploymentStudy(List<Deployment> deployments) {
        this.deployments = deployments;
    }

    /**
     * @param directory with files whose names begin with {@code static32} and {@code dynamic32}
     * @throws InputException if one of them is missing
     */
    static DeploymentStudy in(Path directory) {
        return new DeploymentStudy(List.of(
                new Deployment(JobList.given("static32", find(directory, "static32")), "fifo", true, "11.000"),
                new Deployment(JobList.given("dynamic32", find(directory, "dynamic32")), "srtf", false, "3.188")));
    }

    private static Path find(Path directory, String name) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(name))
                    .sorted()
                    .findFirst()
                    .orElseThrow(() -> new InputException("--deployments is '" + directory
                            + "', must be a directory with lists of jobs named static32… and dynamic32…: there is no "
                            + name + "…."));
        } catch (IOException e) {
            throw new InputException(
                    "--deployments is '" + directory + "', must be a directory that can be read: " + e.getMessage()
                            + ".",
                    e);
        }
    }

    @Override
    public Map<Setting, List<String>> wanted() {
        Map<Setting, List<String>> wanted = new LinkedHashMap<>();
        for (Deployment one : deployments) {
            RULES.forEach(rules -> wanted.put(one.setting(rules), ALLOCATIONS));
            wanted.put(one.setting(Rules.BOUND), List.of(Allocations.OPT));
        }
        return wanted;
    }

    @Override
    public List<Section> sections(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("work", "simulated"));
        head.addAll(ALLOCATIONS);
        head.addAll(List.of("bound", "artifact"));
        rows.add(head);
        for (Deployment one : deployments) {
            for (Rules rules : RULES) {
                List<String> row = new ArrayList<>(List.of(one.words(), rules.words()));
                ALLOCATIONS.forEach(allocation -> row.add(text(one.hours(figures, rules, allocation))));
                row.add(rules.isTheirs() ? text(one.hours(figures, Rules.BOUND, Allocations.OPT)) : "–");
                row.add(rules.isTheirs() ? one.artifact() : "–");
                rows.add(row);
            }
        }
        return List.of(new Section(
                "deployments",
                "Synergy's deployments, 100 jobs on 32 GPUs, h",
                "Bound and artifact as above: all servers as one, and what its synergy-tune gives.",
                rows,
                List.of()));
    }

    private static String text(double hours) {
        return String.format(Locale.ROOT, "%.3f", hours);
    }

    @Override
    public List<Compared> compared(Figures figures) {
        List<Compared> compared = new ArrayList<>();
        for (Deployment one : deployments) {
            for (Rules rules : RULES) {
                compared.add(Compared.least(
                        one.words() + " of " + Allocations.BALANCED + ", " + rules.words() + ", beside "
                                + Allocations.TUNE + " in its own simulator",
                        one.hours(figures, rules, Allocations.BALANCED),
                        one.hours(figures, Rules.THEIRS, Allocations.TUNE),
                        "h"));
            }
        }
        return compared;
    }
}
