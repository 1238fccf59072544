// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.DeviceView;
import io.treadle.core.cluster.NodeView;
import io.treadle.core.cluster.SharedStorage;
import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.engine.Reference;
import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Each form's file becomes the nodes that it means. */
class ClusterFormsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static SimCluster read(String name) throws Exception {
        return ClusterReader.read(
                Path.of(Objects.requireNonNull(ClusterFormsTest.class.getResource("/clusters/" + name))
                                .toURI())
                        .toString());
    }

    /** {@code partition: node@rack gpus/vcores/memory models, …}. */
    private static List<String> text(SimCluster cluster) {
        return cluster.partitions().stream()
                .map(partition -> partition.name() + ": "
                        + partition.nodes().stream().map(ClusterFormsTest::text).collect(Collectors.joining(", ")))
                .toList();
    }

    private static String text(NodeView node) {
        ResourceVector all = node.capacity();
        String models = node.devices().stream().map(DeviceView::model).collect(Collectors.joining("+"));
        return node.id() + "@" + node.rack() + " " + all.gpus() + "/" + all.vcores() + "/" + all.memoryMiB()
                + (models.isEmpty() ? "" : " " + models);
    }

    private String error(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("cluster"), text);
        return message(() -> ClusterReader.read(file.toString())).replace(file.toString(), "FILE");
    }

    private static String message(Executable read) {
        return String.valueOf(assertThrows(InputException.class, read).getMessage());
    }

    @Test
    void ourOwn() throws Exception {
        SimCluster cluster = read("own.yaml");
        String big = " 8/96/1048576 " + "A100+".repeat(7) + "A100";
        assertEquals(
                List.of(
                        "research: big-0@r1" + big + ", big-1@r1" + big,
                        "rest: mixed@r1 3/48/262144 V100+V100+T4, head@r2 0/16/65536"),
                text(cluster));
        assertEquals("lab", cluster.name());
        assertEquals(Map.of("A100", 1.0, "V100", 0.45, "T4", 0.2), cluster.speeds());
        assertEquals("research", cluster.partitionOf("nlp").orElseThrow().name());
        assertEquals("rest", cluster.partitionOf("rest").orElseThrow().name());
        assertTrue(cluster.partitionOf("research").isEmpty());
        NodeView mixed = cluster.partitions().get(1).nodes().get(0);
        assertEquals(
                List.of(16_384L, 16_384L, 15_360L),
                mixed.devices().stream().map(DeviceView::memoryMiB).toList());
        assertEquals(48_128, mixed.capacity().gpuMemoryMiB());
    }

    /** Below spines a rack's name is a path, and the rack, its path and the spine all stand for its nodes. */
    @Test
    void spinesAndLinksOfCards() throws Exception {
        SimCluster cluster = read("tree.yaml");
        assertEquals(
                List.of(
                        "a: n1@s1/r1 8/96/0 V100+V100+V100+V100+V100+V100+V100+V100, n2@s1/r2 4/0/0",
                        "b: n3@s2/r1 4/0/0"),
                text(cluster));
        assertEquals(
                List.of("NVLink 0", "NVLink 0", "NVLink 0", "NVLink 0", "NVLink 1", "NVLink 1", "", ""),
                cluster.partitions().get(0).nodes().get(0).devices().stream()
                        .map(DeviceView::link)
                        .toList());
        assertTrue(error("treadle-cluster: 1\nnodes: [{name: a, gpus: {model: T4, count: 2, link: x}}]\n")
                .contains("must be with 'linked'"));
        assertTrue(error("treadle-cluster: 1\nspines: [{name: s}]\n").contains("a mapping with the field 'racks'"));
    }

    /**
     * leaf1 is below spine1 alone, leaf2 below two: no one is above it. g3 has an adapter on both leaves, the first counts;
     * the aggregation node and the port that is down are no hosts.
     */
    @Test
    void fabric() throws Exception {
        assertEquals(
                List.of(": g1@spine1/leaf1 8/0/0, g2@spine1/leaf1 8/0/0, g3@spine1/leaf1 8/0/0,"
                        + " g4@Quantum Mellanox Technologies 4 8/0/0, g5@Quantum Mellanox Technologies 4 8/0/0"),
                text(read("iblinkinfo.txt")));
        assertEquals(
                List.of(": head@front 0/8/0, g2@spine1/leaf1 4/0/0, g1@spine1/leaf1 2/64/0 T4+T4,"
                        + " g3@spine1/leaf1 2/64/0 T4+T4, g4@Quantum Mellanox Technologies 4 2/64/0 T4+T4,"
                        + " g5@Quantum Mellanox Technologies 4 2/64/0 T4+T4"),
                text(read("links.yaml")));
        assertTrue(error("Switch: 0x1 leaf:\n 1 1[  ] ==( Down/ Polling)==> [  ] \"\" ( )\n")
                .contains("names no host on a switch"));
        Files.copy(
                Path.of(Objects.requireNonNull(ClusterFormsTest.class.getResource("/clusters/iblinkinfo.txt"))
                        .toURI()),
                directory.resolve("iblinkinfo.txt"));
        assertTrue(error("treadle-cluster: 1\nlinks: {file: iblinkinfo.txt}\nnodes: [{name: g9, gpus: 8}]\n")
                .contains("'g9' is neither"));
    }

    @Test
    void storageOfNodesAndOfAllTogether() throws IOException {
        SimCluster cluster = ClusterReader.read(Files.writeString(
                        directory.resolve("shared.yaml"),
                        "treadle-cluster: 1\nsharedStorageMBps: 3000\nnodes:\n"
                                + "  - {name: a, count: 2, gpus: 8, storageMBps: 2000}\n  - {name: b, gpus: 4}\n"
                                + "partitions: [{name: p, nodes: [a]}, {name: q, nodes: [b]}]\n")
                .toString());
        assertEquals(
                List.of(2000L, 2000L, 3000L),
                cluster.partitions().stream()
                        .flatMap(p -> p.nodes().stream())
                        .map(node -> node.capacity().storageMBps())
                        .toList(),
                "a node that tells nothing can draw all");
        // 20 GPUs: 16 of them in p, 4 in q.
        assertEquals(
                List.of(new SharedStorage(2400, 0, 16), new SharedStorage(600, 0, 4)),
                cluster.partitions().stream()
                        .map(p -> cluster.sharedStorage(p).orElseThrow())
                        .toList());
        SimCluster more = ClusterSize.of(cluster, 6);
        assertEquals(3000, more.sharedStorageMBps());
        String node = "treadle-cluster: 1\nnodes:\n  - {name: a, gpus: 8, storageMBps: ";
        for (String bad : List.of("-1", "0", "NaN", "2Gi", "1.5", "16000000000", "fast")) {
            String expected = "must be a whole number of MB/s (10^6 bytes per second) from 1 to 10000000.";
            assertEquals(
                    "FILE, line 3, 'nodes[0].storageMBps': is '" + bad + "', " + expected, error(node + bad + "}\n"));
            assertEquals(
                    "FILE, line 2, 'sharedStorageMBps': is '" + bad + "', " + expected,
                    error("treadle-cluster: 1\nsharedStorageMBps: " + bad + "\nnodes: [{name: a, gpus: 1}]\n"));
        }
    }

    @Test
    void ourOwnSaysWhereItIsWrong() throws IOException {
        String start = "treadle-cluster: 1\nnodes:\n  - {name: a, gpus: 8}\n  - {name: b, gpus: 8}\n";
        assertEquals(
                "FILE, line 3, 'nodes[0].gpus': is 'x', must be a whole number from 0 to 1024.",
                error(start.replaceFirst("8", "x")));
        assertEquals("FILE: node 'a' is named twice.", error(start.replace("b", "a")));
        assertTrue(error(start.replace("1", "2")).contains("must be version 1"));
        assertTrue(error(start + "racs: []\n").startsWith("FILE, line 5: 'racs' is no field, must be one of "));
        assertTrue(error(start + "partitions: [{name: p, nodes: [a]}]\n").contains("'b' is in none"));
        assertTrue(error(start + "partitions: [{name: p, nodes: [a, b]}, {name: q, nodes: [b]}]\n")
                .contains("node 'b' is in 'p' already"));
        assertTrue(error(start + "partitions: [{name: p, nodes: [c]}]\n").contains("the name of a node"));
        assertTrue(error("treadle-cluster: 1\n").contains("names no node"));
        assertTrue(error("treadle-cluster: 1\nnodes: [\n").contains("is no YAML"));
    }

    @Test
    void thePredecessorsTwo() throws Exception {
        String node = " 8/64/262144";
        assertEquals(
                List.of(": node-0@switch-0" + node + ", node-1@switch-0" + node + ", node-2@switch-0" + node
                        + ", node-3@switch-1" + node + ", node-4@switch-1" + node + ", node-5@switch-1" + node),
                text(read("predecessor_alike.csv")));
        String eight = "V100+".repeat(7) + "V100";
        assertEquals(
                List.of(": n1@L01 8/64/262144 " + eight + ", n2@L02 4/32/131072 P100+P100+P100+P100"
                        + ", n3@L01 8/64/262144 " + eight),
                text(read("predecessor_nodes.csv")));
    }

    @Test
    void slurm() throws Exception {
        String eight = "v100+".repeat(7) + "v100";
        assertEquals(
                List.of(
                        "gpu: g1@ 8/64/515000 " + eight + ", g2@ 8/64/515000 " + eight,
                        "123: g3@ 4/32/256000",
                        "cpu: c1@ 0/32/256000"),
                text(read("sinfo.csv")));
        assertTrue(error("PARTITION,NODELIST,CPUS,GRES,MEMORY\na,n1,4,gpu:1,5\nb,n1,4,gpu:1,5\n")
                .contains("row 3, column 'NODELIST': is 'n1', must be in one partition, and is in 'a' already"));
        assertTrue(error("PARTITION,NODELIST,CPUS,GRES,MEMORY\na,n[1-4],4,gpu:1,5\n")
                .contains("sinfo -N"));
    }

    /** Of n2's three cards one is lost: the two that are left are as many as YARN counts, and have a model. */
    @Test
    void yarn() throws Exception {
        SimCluster cluster = read("yarn.json");
        assertEquals(
                List.of(
                        "fast: n1@/r1 4/64/524288 +++",
                        "DEFAULT_PARTITION: n2:45454@/r1 2/32/262144 T4+V100, n2:45455@/r2 0/32/262144"),
                text(cluster));
        assertEquals(
                40_960,
                cluster.partitions().get(0).nodes().get(0).devices().get(0).memoryMiB());
        assertEquals(800, cluster.partitions().get(0).nodes().get(0).capacity().storageMBps());
        assertEquals("fast", cluster.partitionOf("root.ml").orElseThrow().name());
        assertEquals("fast", cluster.partitionOf("ml").orElseThrow().name());
        assertEquals(
                "DEFAULT_PARTITION",
                cluster.partitionOf("root.rest.batch").orElseThrow().name());
        assertTrue(cluster.partitionOf("root.other").isEmpty());
        assertEquals("FILE names no node.", error("{\"nodes\":{}}"));
        assertTrue(error("{\"jobs\":{}}").contains("/ws/v1/cluster/nodes"));
        assertTrue(error("{\"nodes\":").contains("is no JSON"));
        assertTrue(
                error("{\"nodes\":{\"node\":{\"state\":\"RUNNING\",\"id\":\"a\",\"totalResource\":{\"memory\":-5}}}}")
                        .contains("'memory': is '-5', must be a whole number from 0"));
    }

    @Test
    void alibabas() throws Exception {
        assertEquals(
                List.of(": m1@ 2/64/524288 P100+P100, m2@ 8/96/524288 " + "V100M32+".repeat(7) + "V100M32"
                        + ", m3@ 0/96/524288"),
                text(read("pai_machines.csv")));
        assertEquals(List.of(": ob-1@ 2/64000/262144 T4+T4, ob-2@ 0/32000/131072"), text(read("openb_nodes.csv")));
        assertEquals(
                List.of(": 0@ 4/128/0 A10+A10+A10+A10, 1@ 8/192/0 " + "A100-SXM4-80GB+".repeat(7) + "A100-SXM4-80GB"),
                text(read("spot_nodes.csv")));
    }

    @Test
    void virtualClusters() throws Exception {
        assertEquals(
                List.of("6214e9: 6214e9-0@ 8/0/0, 6214e9-1@ 8/0/0, 6214e9-2@ 8/0/0", "vcB: vcB-0@ 8/0/0"),
                text(read("vcs.csv")));
        assertEquals(
                List.of("vcA: vcA-0@ 8/0/0, vcA-1@ 8/0/0", "vcC: vcC-0@ 8/0/0, vcC-1@ 4/0/0"),
                text(read("vcs_by_day.csv")));
    }

    @Test
    void saysWhatFormsThereAre() throws IOException {
        String message = error("x,y\n1,2\n");
        assertTrue(message.startsWith("FILE is no cluster that is known: its first row is 'x,y', must be one of:\n"));
        assertTrue(message.contains("\nnode_id,node_gpu,node_cpu,node_mem,gpu_type,switch_id"));
        assertTrue(message(() -> ClusterReader.read("no/such")).contains("synergy-128"));
    }

    @Test
    void publishedLists() {
        SimCluster venus = ClusterReader.read(
                Reference.file("traces/helios/venus_cluster_gpu_number.csv").toString());
        assertEquals(1080, venus.capacity().gpus());
        assertEquals(16, venus.partitions().size());
        SimCluster philly = ClusterReader.read(
                Reference.file("traces/philly/philly_vc_nodes.csv").toString());
        assertEquals(11, philly.partitions().size());
        SimCluster openb = ClusterReader.read(
                Reference.file("traces/alibaba/openb_node_list_gpu_node.csv.gz").toString());
        assertEquals(1213, openb.nodes());
        assertEquals(6212, openb.capacity().gpus());
    }

    @Test
    void publishedMachinesOfPai() throws Exception {
        Path archive = Reference.file("traces/alibaba/pai_machine_spec.tar.gz");
        assertTrue(message(() -> ClusterReader.read(archive.toString())).contains("tar xf"));
        Process tar = new ProcessBuilder("tar", "xzf", archive.toString(), "-C", directory.toString())
                .inheritIO()
                .start();
        assertEquals(0, tar.waitFor());
        SimCluster pai =
                ClusterReader.read(directory.resolve("pai_machine_spec.csv").toString());
        assertEquals(1897, pai.nodes());
        assertEquals(6742, pai.capacity().gpus());
    }
}
