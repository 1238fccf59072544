// SPDX-License-Identifier: Apache-2.0
package io.treadle.dist;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.conf.AmConf;
import io.treadle.am.conf.ClientConf;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerConf;
import io.treadle.rm.conf.PowerOffSettings;
import io.treadle.rm.conf.PowerSettings;
import io.treadle.rm.conf.QueueSettings;
import io.treadle.rm.conf.RefusalSettings;
import io.treadle.rm.conf.ReservationSettings;
import io.treadle.rm.conf.SchedulerConf;
import io.treadle.rm.conf.SmdSettings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.jupiter.api.Test;

/** The ready-made configuration: every key exists, in Hadoop or in our code, and every value is one that is accepted. */
final class ConfIT {
    /** Keys of CapacityScheduler that it documents on its page only. */
    private static final Set<String> CAPACITY_KEYS = Set.of(
            "resource-calculator",
            "maximum-am-resource-percent",
            "queues",
            "capacity",
            "maximum-capacity",
            "user-limit-factor",
            "ordering-policy");

    private static final Pattern NAME = Pattern.compile("<name>([^<]*)</name>");

    @Test
    void hadoopKnowsEveryKeyThatIsNotOurs() throws IOException {
        // Not by Configuration: there a key whose default is empty is no key.
        Set<String> defaults = new TreeSet<>(defaultsIn("core-default.xml"));
        defaults.addAll(defaultsIn("yarn-default.xml"));
        List<String> unknown = new ArrayList<>();
        for (String key : keys("yarn-site.xml", "resource-types.xml")) {
            if (!key.contains("treadle") && !defaults.contains(key)) {
                unknown.add(key);
            }
        }
        for (String key : keys("capacity-scheduler.xml")) {
            String last = key.substring(key.lastIndexOf('.') + 1);
            if (!key.contains(".treadle.") && !CAPACITY_KEYS.contains(last)) {
                unknown.add(key);
            }
        }
        assertEquals(List.of(), unknown);
    }

    @Test
    void ourCodeKnowsEveryKeyOfOurs() throws Exception {
        Set<String> known = settings();
        List<String> unknown = new ArrayList<>();
        for (String key : keys("yarn-site.xml")) {
            if (key.contains("treadle") && !known.contains(key)) {
                unknown.add(key);
            }
        }
        assertEquals(List.of(), unknown);
        keys("capacity-scheduler.xml").forEach(key -> QueueSettings.checkKey(key, path -> false));
    }

    @Test
    void everyValueIsAccepted() {
        Configuration site = read("yarn-site.xml");
        assertDoesNotThrow(() -> SchedulerConf.from(site));
        assertDoesNotThrow(() -> NodeConf.from(site));
        assertDoesNotThrow(() -> ClientConf.from(site));
        Configuration queues = read("capacity-scheduler.xml");
        assertDoesNotThrow(() -> QueueSettings.check("root.ml", queues::get));
        assertEquals(
                queues.get("yarn.scheduler.capacity.root.ml.treadle.policy"),
                QueueSettings.policy("root.ml", queues::get).name());
    }

    @Test
    void namedClassesExist() throws Exception {
        Configuration all = read("yarn-site.xml", "capacity-scheduler.xml");
        for (Map.Entry<String, String> property : all) {
            if (property.getValue().matches("(io\\.treadle|org\\.apache)\\.[\\w.]+")) {
                Class.forName(property.getValue(), false, ConfIT.class.getClassLoader());
            }
        }
    }

    @Test
    void resourceTypesHaveTheirUnits() {
        Map<String, ResourceInformation> types = ResourceUtils.resetResourceTypes(read("resource-types.xml"));
        Map<String, String> units = types.values().stream()
                .collect(Collectors.toMap(ResourceInformation::getName, ResourceInformation::getUnits));
        assertEquals("Mi", units.get("treadle.io/gpu-memory"));
        assertEquals("", units.get("yarn.io/gpu"));
        assertEquals("", units.get("treadle.io/power"));
        assertEquals("", units.get("treadle.io/storage-bandwidth"));
    }

    @Test
    void commentedDefaultsAreTheDefaults() throws IOException {
        // What stands in a comment of yarn-site.xml as a scheduler's default must be one.
        String text = Files.readString(Checkout.CONF.resolve("yarn-site.xml"));
        Map<String, String> written = Pattern.compile(
                        "<name>(yarn\\.scheduler\\.treadle\\.[^<]*)</name>\\s*<value>([^<]*)")
                .matcher(text)
                .results()
                .collect(Collectors.toMap(r -> r.group(1), r -> r.group(2)));
        assertTrue(written.size() >= 7, written::toString);
        Configuration conf = new Configuration(false);
        SchedulerConf defaults = SchedulerConf.from(conf);
        written.forEach(conf::set);
        assertEquals(defaults, SchedulerConf.from(conf));
    }

    /** Names of every setting that our code reads for itself; private ones are looks at what Hadoop will do. */
    static Set<String> settings() throws ReflectiveOperationException {
        Set<String> names = new TreeSet<>();
        for (Class<?> type : List.of(
                SchedulerConf.class,
                PowerSettings.class,
                PowerOffSettings.class,
                SmdSettings.class,
                RefusalSettings.class,
                ReservationSettings.class,
                NodeConf.class,
                PowerConf.class,
                ClientConf.class,
                AmConf.class)) {
            for (Field field : type.getDeclaredFields()) {
                field.setAccessible(true);
                if (Modifier.isStatic(field.getModifiers())
                        && !Modifier.isPrivate(field.getModifiers())
                        && field.get(null) instanceof String name
                        && name.matches("[a-z]+(\\.[a-z0-9-]+)+")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private static Set<String> defaultsIn(String resource) throws IOException {
        try (InputStream in = requireNonNull(ConfIT.class.getClassLoader().getResourceAsStream(resource), resource)) {
            return names(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Keys of the files, those in comments too. */
    private static Set<String> keys(String... files) throws IOException {
        Set<String> keys = new TreeSet<>();
        for (String file : files) {
            keys.addAll(names(Files.readString(Checkout.CONF.resolve(file))));
        }
        return keys;
    }

    private static Set<String> names(String xml) {
        Set<String> names = new TreeSet<>();
        NAME.matcher(xml).results().map(result -> result.group(1)).forEach(names::add);
        return names;
    }

    private static Configuration read(String... files) {
        Configuration configuration = new Configuration(false);
        for (String file : files) {
            configuration.addResource(
                    new org.apache.hadoop.fs.Path(Checkout.CONF.resolve(file).toUri()));
        }
        return configuration;
    }
}
