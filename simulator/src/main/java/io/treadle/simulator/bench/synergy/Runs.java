// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench.synergy;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.result.Summary;
import io.treadle.simulator.result.SweepRow;
import io.treadle.simulator.sweep.Sweep;
import io.treadle.simulator.sweep.SweepPoint;
import io.treadle.simulator.sweep.SweepWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Draws the lists of all studies and runs what they want, each run once, as one sweep. */
final class Runs {
    private final Path out;
    private final SynergySizes sizes;
    private final Map<Setting, Set<String>> wanted = new LinkedHashMap<>();

    /** @param out where lists, clusters and the runs' own results go */
    Runs(Path out, SynergySizes sizes, List<Study> studies) {
        this.out = out;
        this.sizes = sizes;
        studies.forEach(study -> study.wanted()
                .forEach((setting, allocations) -> wanted.computeIfAbsent(setting, key -> new LinkedHashSet<>())
                        .addAll(allocations)));
    }

    /**
     * @param threads how many runs go on at the same time
     * @param again whether to run also what is done
     * @throws InputException if something cannot be written
     */
    Figures run(int threads, boolean again, SweepWatcher watcher) {
        Path lists = made(out.resolve("lists"));
        Path clusters = made(out.resolve("clusters"));
        wanted.keySet().stream().map(Setting::list).distinct().forEach(list -> list.draw(lists, sizes.jobs()));
        wanted.keySet().stream().map(Setting::servers).distinct().forEach(servers -> servers.write(clusters));
        Map<SweepPoint, List<String>> policies = new LinkedHashMap<>();
        Map<String, Setting> settings = new HashMap<>();
        wanted.forEach((setting, allocations) -> allocations.forEach(allocation -> {
            SweepPoint point = setting.point(
                    lists, clusters, sizes.measured(), setting.rules().placement(allocation));
            policies.computeIfAbsent(point, key -> new ArrayList<>()).add(setting.policy(allocation));
            settings.put(point.name(), setting);
        }));
        List<SweepRow> rows = new Sweep(
                        out,
                        List.copyOf(policies.keySet()),
                        point -> Objects.requireNonNull(policies.get(point)),
                        false)
                .run(threads, again, watcher);
        Map<Figures.Run, Summary> summaries = new LinkedHashMap<>();
        for (SweepRow row : rows) {
            String policy = row.summary().policy();
            summaries.put(
                    new Figures.Run(
                            Objects.requireNonNull(settings.get(row.point())),
                            policy.substring(policy.indexOf('+') + 1)),
                    row.summary());
        }
        return new Figures(summaries);
    }

    private static Path made(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException(directory + " cannot be made: " + e.getMessage() + ".", e);
        }
    }
}
