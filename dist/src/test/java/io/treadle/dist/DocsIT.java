// SPDX-License-Identifier: Apache-2.0
package io.treadle.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.nm.conf.NodeConf;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.conf.SchedulerConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation: its links lead somewhere, and the references name every setting and no other. */
final class DocsIT {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    /** A setting stands first in a row of four cells; other tables of the references have fewer. */
    private static final Pattern KEY =
            Pattern.compile("^\\| `([a-z][a-z0-9.-]+)` \\|[^|\n]*\\|[^|\n]*\\|[^|\n]*\\|$", Pattern.MULTILINE);

    @Test
    void everyLinkToAFileLeadsToOne() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(link -> link.group(1))
                    .filter(target -> !target.contains("://") && !target.startsWith("#"))
                    .map(target -> target.replaceFirst("#.*", ""))
                    .filter(target -> !Files.exists(page.resolveSibling(target)))
                    .forEach(target -> broken.add(Checkout.ROOT.relativize(page) + " -> " + target));
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void referencesNameEverySettingAndNoOther() throws Exception {
        Set<String> known = new TreeSet<>(ConfIT.settings());
        // Fields of the queue's settings are parts of keys.
        known.addAll(List.of(
                QueueSettings.POLICY,
                QueueSettings.PLACEMENT,
                QueueSettings.PREEMPTION,
                QueueSettings.MIGRATION,
                QueueSettings.POWER_BUDGET,
                QueueSettings.ENERGY_BUDGET,
                QueueSettings.MOST_WEIGHT));
        // Read by the ApplicationMaster beside its settings class.
        known.addAll(List.of("treadle.zk-rm-acl", "treadle.history-dir"));

        Set<String> written = new TreeSet<>();
        written.addAll(keys("scheduler-settings.md", SchedulerConf.PREFIX));
        written.addAll(keys("node-settings.md", NodeConf.PREFIX));
        written.addAll(keys("client-settings.md", "treadle."));
        assertEquals(String.join("\n", known), String.join("\n", written));
    }

    /** Keys in the first column of a reference's tables; a short name stands for one with the prefix. */
    private static Set<String> keys(String reference, String prefix) throws IOException {
        String text = Files.readString(Checkout.DOCS.resolve("reference").resolve(reference));
        Set<String> keys = new TreeSet<>();
        KEY.matcher(text).results().map(key -> key.group(1)).forEach(key -> {
            boolean full = key.startsWith("yarn.") || key.startsWith("hadoop.") || key.startsWith("treadle.");
            keys.add(full ? key : prefix + key);
        });
        return keys;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Checkout.DOCS);
                Stream<Path> conf = Files.walk(Checkout.CONF)) {
            return Stream.concat(Stream.of(Checkout.ROOT.resolve("README.md")), Stream.concat(docs, conf))
                    .filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
