// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.NodeView;
import io.treadle.simulator.input.Dialect;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.input.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Slurm's partitions, as {@code sinfo -lN -o "%P,%N,%c,%G,%m"} prints them: {@code PARTITION,NODELIST,CPUS,GRES,MEMORY},
 * a row for each node of each partition, the day above them; memory in MB. A list of GRES may hold commas itself, so that
 * the memory is the last value of a row.
 */
final class SlurmNodes implements ClusterForm {
    private static final Pattern GPU = Pattern.compile("gpu(?::([^:(]+))?:(\\d{1,4})(?:\\(.*)?");
    private static final int GRES = 3;

    private record Cards(String model, int count) {}

    @Override
    public String looksLike() {
        return "PARTITION,NODELIST,CPUS,GRES,MEMORY";
    }

    @Override
    public boolean recognises(Head head) {
        return header(head) >= 0;
    }

    /** The line with the columns' names; -1 where there is none. */
    private static int header(Head head) {
        return IntStream.range(0, Math.min(2, head.lines().size()))
                .filter(i -> Head.split(head.lines().get(i), Dialect.COMMAS)
                        .equals(List.of("PARTITION", "NODELIST", "CPUS", "GRES", "MEMORY")))
                .findFirst()
                .orElse(-1);
    }

    @Override
    public SimCluster read(Path file) {
        NodeList all = new NodeList(file);
        Map<String, List<NodeView>> partitions = new LinkedHashMap<>();
        Map<String, String> partitionOf = new LinkedHashMap<>();
        int before = Math.max(0, header(Head.of(file)));
        Table.withHeader(file, Dialect.COMMAS, before).forEach(row -> {
            String partition = row.text("PARTITION").replaceFirst("\\*$", "");
            String name = row.text("NODELIST");
            String other = partitionOf.putIfAbsent(name, partition);
            if (other != null) {
                throw row.wrong(
                        "NODELIST",
                        name,
                        "in one partition, and is in '" + other + "' already; choose partitions that share no node:"
                                + " sinfo -p");
            }
            partitions.computeIfAbsent(partition, key -> new ArrayList<>()).add(node(row, name, all));
        });
        return SimCluster.of(
                file,
                partitions.entrySet().stream()
                        .map(e -> new Partition(e.getKey(), e.getValue()))
                        .toList());
    }

    private static NodeView node(Row row, String name, NodeList all) {
        if (name.contains("[")) {
            throw row.wrong("NODELIST", name, "one node: sinfo -N");
        }
        List<String> rest = row.from(GRES);
        if (rest.size() < 2) {
            throw row.wrong((GRES + rest.size()) + " values", "PARTITION,NODELIST,CPUS,GRES,MEMORY");
        }
        String memory = rest.get(rest.size() - 1).trim();
        if (!memory.matches("\\d{1,12}")) {
            throw row.wrong("MEMORY", memory, "whole MB");
        }
        Cards cards = cards(row, String.join(",", rest.subList(0, rest.size() - 1)));
        return all.add(
                name,
                "",
                row.whole("CPUS", 0, NodeList.MOST_VCORES),
                Long.parseLong(memory),
                cards.count(),
                cards.model());
    }

    private static Cards cards(Row row, String gres) {
        String model = "";
        int count = 0;
        for (String resource : gres.split(",")) {
            Matcher gpu = GPU.matcher(resource.trim());
            if (gpu.matches()) {
                model = gpu.group(1) == null ? model : gpu.group(1);
                count += Integer.parseInt(gpu.group(2));
            }
        }
        if (count > NodeList.MOST_GPUS) {
            throw row.wrong("GRES", gres, "at most " + NodeList.MOST_GPUS + " GPUs");
        }
        return new Cards(model, count);
    }
}
