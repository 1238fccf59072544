// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.ClusterSize;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.sweep.DrawnLists;
import io.treadle.simulator.sweep.SweepPoint;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The points of a sweep: each is read as if it were the options of a simulation on its own. */
final class SweepPoints {
    private static final String LOAD = "load-factor";
    private static final String SEED = "seed";
    private static final String NODES = "nodes";
    private static final Set<String> SWEPT = Set.of(LOAD, SEED, NODES);

    private final SweepArguments arguments;
    private final Optional<DrawnLists> lists;
    private final Set<String> options = new HashSet<>();

    /** @param lists where the jobs are drawn for each seed */
    SweepPoints(SweepArguments arguments, Optional<DrawnLists> lists) {
        this.arguments = arguments;
        this.lists = lists;
        for (OptionSpec option :
                new CommandLine(new PointOptions()).getCommandSpec().options()) {
            options.add(option.longestName().substring(2));
        }
    }

    /**
     * By nodes, then load, then seed, as they were asked for; each once.
     *
     * @throws InputException if a value cannot be used
     */
    List<SweepPoint> all() {
        Map<String, SweepPoint> points = new LinkedHashMap<>();
        for (Optional<Given> nodes : values(NODES)) {
            for (Optional<Given> load : values(LOAD)) {
                for (Optional<Given> seed : values(SEED)) {
                    SweepPoint point = point(nodes, load, seed);
                    points.putIfAbsent(point.name(), point);
                }
            }
        }
        check(points.values());
        return List.copyOf(points.values());
    }

    private List<Optional<Given>> values(String name) {
        List<Given> all = arguments.all(name);
        return all.isEmpty()
                ? List.of(Optional.empty())
                : all.stream().map(Optional::of).toList();
    }

    private SweepPoint point(Optional<Given> nodes, Optional<Given> load, Optional<Given> seed) {
        Map<String, Given> values = new LinkedHashMap<>();
        for (String name : arguments.names()) {
            if (options.contains(name) && !SWEPT.contains(name)) {
                arguments.one(name).ifPresent(value -> values.put(name, value));
            }
        }
        values.remove(SweepJobs.OPTION);
        SweepJobs.measured(arguments).ifPresent(value -> values.put(SweepJobs.OPTION, value));
        nodes.ifPresent(value -> values.put(NODES, value));
        load.ifPresent(value -> values.put(LOAD, value));
        seed.ifPresent(value -> values.put(SEED, value));
        lists.ifPresent(drawn -> values.put(
                "trace", new Given(drawn.file(number(seed.orElseThrow())).toString(), "")));
        PointOptions point = new PointOptions();
        CommandLine reader = new CommandLine(point);
        try {
            reader.parseArgs(values.entrySet().stream()
                    .filter(value -> !isOff(reader, value.getKey(), value.getValue()))
                    .map(value -> isSwitch(reader, value.getKey())
                            ? "--" + value.getKey()
                            : "--" + value.getKey() + "=" + value.getValue().text())
                    .toArray(String[]::new));
            var request = point.request();
            return new SweepPoint(
                    request.loadFactor(),
                    seed.isPresent() ? OptionalLong.of(request.experiment().seed()) : OptionalLong.empty(),
                    request.nodes(),
                    request,
                    point.options());
        } catch (ParameterException e) {
            String name = e.getArgSpec() instanceof OptionSpec option ? option.longestName() : "";
            throw located(e, name, values);
        } catch (InputException e) {
            throw located(e, String.valueOf(e.getMessage()), values);
        }
    }

    private static boolean isSwitch(CommandLine reader, String name) {
        return PointOptionsToo.isSwitch(reader.getCommandSpec().findOption("--" + name));
    }

    private static boolean isOff(CommandLine reader, String name, Given value) {
        return isSwitch(reader, name) && value.text().equals("false");
    }

    private static long number(Given seed) {
        try {
            return Long.parseLong(seed.text());
        } catch (NumberFormatException e) {
            throw seed.located(new InputException("--seed is '" + seed.text() + "', must be a whole number.", e));
        }
    }

    /** @param about begins with the name of the option that is wrong, if it is known */
    private static InputException located(RuntimeException failure, String about, Map<String, Given> values) {
        for (Map.Entry<String, Given> value : values.entrySet()) {
            String option = "--" + value.getKey();
            if (about.equals(option) || about.startsWith(option + " ")) {
                return value.getValue().located(failure);
            }
        }
        return failure instanceof InputException input
                ? input
                : new InputException(String.valueOf(failure.getMessage()), failure);
    }

    /** What would come to light only when the point is reached. */
    private void check(Collection<SweepPoint> points) {
        SimCluster named = cluster(points.iterator().next());
        for (Given nodes : arguments.all(NODES)) {
            try {
                ClusterSize.of(named, Integer.parseInt(nodes.text()));
            } catch (InputException e) {
                throw nodes.located(e);
            }
        }
    }

    private static SimCluster cluster(SweepPoint point) {
        return ClusterReader.read(point.request().cluster());
    }
}
