// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.energy.QueueBudget;
import io.treadle.simulator.input.YamlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the queues that share a partition by capacities. */
final class SharedQueueReader {
    private static final Set<String> FIELDS =
            Set.of("name", "capacity", "maximum", "priority", "policy", "placement", "powerBudget", "takes", "queues");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?)\\s*%");
    private static final int MOST_PRIORITY = 1_000_000;

    /** A third, thrice, is not quite one. */
    private static final double ROUNDING = 1e-9;

    private final long gpus;

    /** @param gpus of the partition */
    SharedQueueReader(long gpus) {
        this.gpus = gpus;
    }

    /** Whether the queues of the list have capacities. */
    static boolean isMeant(YamlValue list) {
        return list.list().stream().anyMatch(YamlValue::isMapping);
    }

    /** The root of them, which has the whole partition. */
    SharedQueue read(YamlValue list) {
        SharedQueue root = new SharedQueue(
                "root", 1, 1, 0, Optional.empty(), Optional.empty(), Optional.empty(), Set.of(), List.of());
        return withChildren(root, list);
    }

    private SharedQueue withChildren(SharedQueue parent, YamlValue list) {
        List<SharedQueue> children = new ArrayList<>();
        double sum = 0;
        for (YamlValue value : list.list()) {
            SharedQueue child = queue(parent, value);
            if (children.stream().anyMatch(other -> other.path().equals(child.path()))) {
                throw value.wrong("of a name of its own, not '" + child.path() + "' again");
            }
            children.add(child);
            sum += child.capacity();
        }
        if (children.isEmpty()) {
            throw list.wrong("a list of one queue or more");
        }
        if (sum > parent.capacity() + ROUNDING) {
            throw list.wrong("such that the capacities are together no more than that of " + parent.path());
        }
        return parent.withChildren(children);
    }

    private SharedQueue queue(SharedQueue parent, YamlValue value) {
        Map<String, YamlValue> fields = value.fields(FIELDS);
        String name = OwnCluster.required(value, fields, "name").text();
        if (name.contains(".")) {
            throw value.wrong("of a name without a dot, not '" + name + "'");
        }
        String path = parent.path() + "." + name;
        YamlValue guaranteed = OwnCluster.required(value, fields, "capacity");
        double capacity = part(guaranteed, parent.capacity());
        YamlValue most = fields.get("maximum");
        double maximum = most == null ? parent.maximum() : part(most, parent.maximum());
        if (most != null && maximum < capacity - ROUNDING) {
            throw most.wrong("no less than the queue's capacity");
        }
        YamlValue priority = fields.get("priority");
        YamlValue takes = fields.get("takes");
        YamlValue below = fields.get("queues");
        if (takes != null && below != null) {
            throw takes.wrong("a field of the queues below this one, which take the jobs");
        }
        SharedQueue queue = new SharedQueue(
                path,
                capacity,
                maximum,
                priority == null ? 0 : (int) priority.whole(0, MOST_PRIORITY),
                text(fields.get("policy")).or(parent::policy),
                text(fields.get("placement")).or(parent::placement),
                Optional.ofNullable(fields.get("powerBudget")).map(SharedQueueReader::budget),
                takes == null
                        ? Set.of(name, path)
                        : takes.list().stream().map(YamlValue::text).collect(Collectors.toSet()),
                List.of());
        return below == null ? queue : withChildren(queue, below);
    }

    private static Optional<String> text(@Nullable YamlValue value) {
        return Optional.ofNullable(value).map(YamlValue::text);
    }

    private static QueueBudget budget(YamlValue value) {
        try {
            return QueueBudget.parse(value.text());
        } catch (IllegalArgumentException e) {
            throw value.wrong("watts such as 12000 or 12kW, or a share above 0% and at most 100% such as 70%");
        }
    }

    /** @param whole the part of the partition of which 100 % is all */
    private double part(YamlValue value, double whole) {
        Matcher percent = PERCENT.matcher(value.isList() || value.isMapping() ? "" : value.text());
        if (percent.matches()) {
            double part = Double.parseDouble(percent.group(1)) / 100;
            if (part > 1) {
                throw value.wrong("at most 100%");
            }
            return part * whole;
        }
        long most = (long) (whole * gpus + ROUNDING);
        double number;
        try {
            number = value.whole(0, most);
        } catch (io.treadle.simulator.input.InputException e) {
            throw value.wrong("a share such as 40%, or a whole number of GPUs from 0 to " + most);
        }
        return gpus == 0 ? 0 : number / gpus;
    }
}
