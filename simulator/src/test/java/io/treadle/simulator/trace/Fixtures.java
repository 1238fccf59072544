// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/** Small files of invented rows, one of each format. */
final class Fixtures {
    private Fixtures() {}

    static Path trace(String name) {
        return resource("traces/" + name);
    }

    static Path cluster(String name) {
        return resource("clusters/" + name);
    }

    /** Two racks of three nodes with 8 GPUs. */
    static SimCluster eights() {
        return ClusterReader.read(cluster("predecessor_alike.csv").toString());
    }

    private static Path resource(String name) {
        URL url = Objects.requireNonNull(Fixtures.class.getResource("/" + name), name);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
