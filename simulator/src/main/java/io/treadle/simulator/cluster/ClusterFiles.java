// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cluster;

import io.treadle.simulator.input.Head;
import io.treadle.simulator.input.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which files decide what a cluster is. */
public final class ClusterFiles {
    private ClusterFiles() {}

    /**
     * The file itself, and those beside it that it names.
     *
     * @throws io.treadle.simulator.input.InputException if it cannot be read
     */
    public static List<Path> of(Path file) {
        List<Path> files = new ArrayList<>(List.of(file));
        if (new OwnCluster().recognises(Head.of(file))) {
            Map<String, YamlValue> top = YamlValue.read(file).fields(Set.of());
            for (String field : List.of("links", "failures")) {
                YamlValue value = top.get(field);
                if (value != null) {
                    for (YamlValue one : value.isList() ? value.list() : List.of(value)) {
                        YamlValue named =
                                one.isMapping() ? one.fields(Set.of()).get("file") : null;
                        if (named != null) {
                            files.add(file.resolveSibling(named.text()));
                        }
                    }
                }
            }
        }
        return files;
    }
}
