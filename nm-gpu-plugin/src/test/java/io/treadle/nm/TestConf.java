// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import io.treadle.nm.conf.NodeConf;
import org.apache.hadoop.conf.Configuration;

/** Short forms of {@link NodeConf}. */
public final class TestConf {
    private TestConf() {}

    /** @param pairs names after {@code yarn.nodemanager.treadle.}, or full keys, each followed by its value */
    public static NodeConf of(String... pairs) {
        return NodeConf.from(hadoop(pairs));
    }

    public static Configuration hadoop(String... pairs) {
        Configuration hadoop = new Configuration(false);
        hadoop.set(NodeConf.NODE_NAME, "n1");
        for (int i = 0; i < pairs.length; i += 2) {
            hadoop.set(pairs[i].contains(".") ? pairs[i] : NodeConf.PREFIX + pairs[i], pairs[i + 1]);
        }
        return hadoop;
    }
}
