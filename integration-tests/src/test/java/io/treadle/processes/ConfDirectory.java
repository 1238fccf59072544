// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Writes configuration directories: the files of {@code conf/}, and over them what an admin sets for one machine. */
final class ConfDirectory {
    private static final String SITE = "yarn-site.xml";
    private static final String LOG4J =
            """
            log4j.rootLogger=INFO,out
            log4j.appender.out=org.apache.log4j.ConsoleAppender
            log4j.appender.out.target=System.err
            log4j.appender.out.layout=org.apache.log4j.PatternLayout
            log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p [%t] %c{2}: %m%n
            """;

    private ConfDirectory() {}

    /** Settings that are in a file of their own, whose values win over those of yarn-site.xml. */
    private static final Map<String, String> FILES = Map.of(
            "mapreduce.",
            "mapred-site.xml",
            "yarn.scheduler.capacity.",
            "capacity-scheduler.xml",
            "yarn.resource-types",
            "resource-types.xml");

    static Path write(Path directory, Map<String, String> settings) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("log4j.properties"), LOG4J);
        Map<String, Configuration> files = new TreeMap<>();
        for (String file : FILES.values()) {
            files.put(file, ready(file));
        }
        files.put(SITE, ready(SITE));
        settings.forEach(
                (key, value) -> Objects.requireNonNull(files.get(fileOf(key))).set(key, value));
        for (Map.Entry<String, Configuration> file : files.entrySet()) {
            write(file.getValue(), directory.resolve(file.getKey()));
        }
        return directory;
    }

    private static String fileOf(String key) {
        return FILES.entrySet().stream()
                .filter(file -> key.startsWith(file.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(SITE);
    }

    /** The file of {@code conf/}, where there is one. */
    private static Configuration ready(String file) {
        Configuration settings = new Configuration(false);
        Path path = Checkout.root().resolve("conf").resolve(file);
        if (Files.exists(path)) {
            settings.addResource(new org.apache.hadoop.fs.Path(path.toUri()));
        }
        return settings;
    }

    private static void write(Configuration settings, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            settings.writeXml(out);
        }
    }
}
