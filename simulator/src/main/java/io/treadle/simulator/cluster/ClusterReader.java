// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads what {@code --cluster} names: a built-in cluster or a file. */
public final class ClusterReader {
    private static final int MOST_NODES = 1_000_000;
    /** Servers of the Synergy paper and its artifact: 8 GPUs, 24 CPUs, 500 GB. */
    private static final ResourceVector SYNERGY_SERVER = ResourceVector.of(8, 24, 512_000);

    private static final ResourceVector EIGHT_GPUS = ResourceVector.of(8, 0, 0);
    /** openb names a GPU's share in thousandths of a card and no memory of cards. */
    private static final long OPENB_CARD = 1000;

    private static final Map<String, Integer> SYNERGY_SERVERS = Map.of("synergy-128", 16, "synergy-32", 4);

    private ClusterReader() {}

    /** @throws InputException if there is no such name or file, or a row of it cannot be used */
    public static SimCluster read(String nameOrFile) {
        Integer servers = SYNERGY_SERVERS.get(nameOrFile);
        if (servers != null) {
            return new SimCluster(
                    nameOrFile,
                    List.of(new Partition("", Nodes.alike("server-", servers, SYNERGY_SERVER))),
                    SimCluster.Sharing.CPU_AND_MEMORY);
        }
        Path file = Path.of(nameOrFile);
        if (!Files.exists(file)) {
            throw new InputException("--cluster is '" + nameOrFile
                    + "', must be a file or one of synergy-128, synergy-32: there is no such file.");
        }
        Table table = Table.withHeader(file);
        SimCluster cluster;
        if (table.has("vc")) {
            cluster = partitions(file, table);
        } else if (table.has("sn") && table.has("gpu")) {
            cluster = openb(file, table);
        } else {
            throw new InputException(file + " is no cluster: its first row is "
                    + String.join(",", Table.firstRow(file))
                    + ", must be 'vc,node_num' or 'sn,cpu_milli,memory_mib,gpu,model'.");
        }
        if (cluster.nodes() == 0) {
            throw new InputException(file + " names no node.");
        }
        return cluster;
    }

    private static SimCluster partitions(Path file, Table table) {
        String count = table.has("node_num") ? "node_num" : "node num";
        List<Partition> partitions = new ArrayList<>();
        Set<String> names = new HashSet<>();
        table.forEach(row -> {
            String name = row.text("vc");
            if (!names.add(name)) {
                throw row.wrong("vc", name, "named once");
            }
            int nodes = (int) row.whole(count, 1, MOST_NODES);
            partitions.add(new Partition(name, Nodes.alike(name + "-", nodes, EIGHT_GPUS)));
        });
        return new SimCluster(file.getFileName().toString(), partitions, SimCluster.Sharing.NOTHING);
    }

    private static SimCluster openb(Path file, Table table) {
        List<NodeView> nodes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        table.forEach(row -> {
            String name = row.text("sn");
            if (!names.add(name)) {
                throw row.wrong("sn", name, "named once");
            }
            int gpus = (int) row.whole("gpu", 0, 1024);
            String model = row.optional("model").orElse("");
            List<DeviceView> devices = IntStream.range(0, gpus)
                    .mapToObj(i -> new DeviceView(name + "/" + i, model, OPENB_CARD, 0, true))
                    .toList();
            ResourceVector capacity =
                    ResourceVector.of(gpus, row.whole("cpu_milli", 0, 1L << 40), row.whole("memory_mib", 0, 1L << 50));
            nodes.add(Nodes.node(name, "", capacity.withGpuMemoryMiB(OPENB_CARD * gpus), devices));
        });
        return new SimCluster(
                file.getFileName().toString(), List.of(new Partition("", nodes)), SimCluster.Sharing.NOTHING);
    }
}
