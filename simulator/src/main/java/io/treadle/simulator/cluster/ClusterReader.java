// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.core.resource.ResourceVector;
import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.InputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what {@code --cluster} names: a built-in cluster or a file. */
public final class ClusterReader {
    /** Servers of the Synergy paper and its artifact: 8 GPUs, 24 CPUs, 500 GB. */
    private static final ResourceVector SYNERGY_SERVER = ResourceVector.of(8, 24, 512_000);

    private static final Map<String, Integer> SYNERGY_SERVERS = Map.of("synergy-128", 16, "synergy-32", 4);
    private static final int SHOWN = 200;

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
        Path file = file(nameOrFile);
        Head head = Head.of(file);
        SimCluster cluster = forms().stream()
                .filter(form -> form.recognises(head))
                .findFirst()
                .orElseThrow(() -> new InputException(file + " is no cluster that is known: its first row is '"
                        + (head.first().length() > SHOWN ? head.first().substring(0, SHOWN) + "…" : head.first())
                        + "', must be one of:\n"
                        + forms().stream().map(ClusterForm::looksLike).collect(Collectors.joining("\n"))))
                .read(file);
        if (cluster.nodes() == 0) {
            throw new InputException(file + " names no node.");
        }
        return cluster;
    }

    /** The files whose bytes decide what {@link #read} gives, where it does not come from elsewhere. */
    public static List<Path> files(String nameOrFile) {
        Path file = Path.of(nameOrFile);
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        return new OwnCluster().recognises(Head.of(file))
                ? Stream.concat(Stream.of(file), OwnCluster.named(file).stream())
                        .toList()
                : List.of(file);
    }

    private static Path file(String name) {
        try {
            Path file = Path.of(name);
            if (Files.exists(file)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw missing(name, e);
        }
        throw missing(name, null);
    }

    private static InputException missing(String name, @org.jspecify.annotations.Nullable Throwable cause) {
        String message =
                "--cluster is '" + name + "', must be a file or one of synergy-128, synergy-32: there is no such file.";
        return cause == null ? new InputException(message) : new InputException(message, cause);
    }

    /** The first that recognises a file reads it. */
    private static List<ClusterForm> forms() {
        return List.of(
                new OwnCluster(),
                new YarnNodes(),
                new FabricHosts(),
                new VcList(),
                new VcsByDay(),
                new OpenbNodes(),
                new SwitchesAlike(),
                new NodesOfSwitches(),
                new SpotNodes(),
                new SlurmNodes(),
                new PaiMachines());
    }
}
