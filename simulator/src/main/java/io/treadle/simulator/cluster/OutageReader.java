// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import io.treadle.simulator.input.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads when nodes fail and are maintained. */
final class OutageReader {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*([smhd]?)");
    private static final Map<String, Long> MS =
            Map.of("", 1000L, "s", 1000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private final Path file;
    private final PhysicalTree nodes;
    private final List<Outage> told = new ArrayList<>();
    private final Map<String, FailureRate> rates = new HashMap<>();

    /** @param file the cluster's, beside which others are looked for */
    OutageReader(Path file, PhysicalTree nodes) {
        this.file = file;
        this.nodes = nodes;
    }

    Outages read(@Nullable YamlValue failures, @Nullable YamlValue maintenance) {
        entries(failures).forEach(this::failures);
        entries(maintenance).forEach(this::maintenance);
        return new Outages(told, rates, 0);
    }

    private static List<YamlValue> entries(@Nullable YamlValue value) {
        return value == null ? List.of() : value.isList() ? value.list() : List.of(value);
    }

    private void failures(YamlValue entry) {
        Map<String, YamlValue> fields = entry.fields(Set.of("file", "nodes", "mtbf", "mttr"));
        YamlValue trace = fields.get("file");
        if (trace != null) {
            if (fields.size() > 1) {
                throw entry.wrong("either a file, or nodes with mtbf and mttr");
            }
            Table table = Table.withHeader(file.resolveSibling(trace.text()));
            if (!table.has("node") || !table.has("down_s") || !table.has("up_s")) {
                throw trace.wrong("a table with the columns node,down_s,up_s; it has " + table.names());
            }
            table.forEach(this::failure);
            return;
        }
        FailureRate rate = new FailureRate(
                durationMs(OwnCluster.required(entry, fields, "mtbf"), 1),
                durationMs(OwnCluster.required(entry, fields, "mttr"), 1));
        for (NodeView node : named(fields.get("nodes"))) {
            if (rates.put(node.id(), rate) != null) {
                throw entry.wrong("of nodes of its own; '" + node.id() + "' has its times already");
            }
        }
    }

    private void failure(Row row) {
        String node = row.text("node");
        if (nodes.nodes().stream().noneMatch(known -> known.id().equals(node))) {
            throw row.wrong("node", node, "the name of a node of " + file.getFileName());
        }
        long downMs = row.timeMs("down_s");
        long upMs = row.optional("up_s").isPresent() ? row.timeMs("up_s") : Outage.NEVER;
        if (upMs <= downMs) {
            throw row.wrong("up_s", row.text("up_s"), "after down_s, or empty where the node does not come back");
        }
        told.add(new Outage(node, downMs, downMs, upMs));
    }

    private void maintenance(YamlValue entry) {
        Map<String, YamlValue> fields = entry.fields(Set.of("nodes", "drain", "from", "to"));
        YamlValue end = OwnCluster.required(entry, fields, "to");
        long fromMs = durationMs(OwnCluster.required(entry, fields, "from"), 0);
        long toMs = durationMs(end, 0);
        if (toMs <= fromMs) {
            throw end.wrong("after 'from'");
        }
        YamlValue drain = fields.get("drain");
        long closedMs = Math.max(0, fromMs - (drain == null ? 0 : durationMs(drain, 0)));
        named(fields.get("nodes")).forEach(node -> told.add(new Outage(node.id(), closedMs, fromMs, toMs)));
    }

    private List<NodeView> named(@Nullable YamlValue list) {
        if (list == null) {
            return nodes.nodes();
        }
        List<NodeView> all = new ArrayList<>();
        for (YamlValue name : list.list()) {
            List<NodeView> named = nodes.named(name.text());
            if (named.isEmpty()) {
                throw name.wrong("the name of a node, of a kind of nodes, of a rack or of a spine");
            }
            all.addAll(named);
        }
        return all;
    }

    private static long durationMs(YamlValue value, long least) {
        Matcher duration = DURATION.matcher(value.isList() || value.isMapping() ? "" : value.text());
        if (duration.matches()) {
            long unit = Objects.requireNonNull(
                    MS.get(Optional.ofNullable(duration.group(2)).orElse("")));
            double ms = Double.parseDouble(Objects.requireNonNull(duration.group(1))) * unit;
            if (ms >= least && ms <= Row.MOST_SECONDS * 1000) {
                return Math.round(ms);
            }
        }
        throw value.wrong("a time such as 90s, 15m, 4h or 30d" + (least > 0 ? ", above 0" : ""));
    }
}
