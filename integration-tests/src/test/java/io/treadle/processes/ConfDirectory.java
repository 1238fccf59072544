// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    static Path write(Path directory, Map<String, String> settings) throws IOException {
        Path ready = Checkout.root().resolve("conf");
        Files.createDirectories(directory);
        for (String file : List.of("capacity-scheduler.xml", "resource-types.xml")) {
            Files.copy(ready.resolve(file), directory.resolve(file));
        }
        Files.writeString(directory.resolve("log4j.properties"), LOG4J);
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(ready.resolve(SITE).toUri()));
        Configuration mapReduce = new Configuration(false);
        settings.forEach((key, value) -> (key.startsWith("mapreduce.") ? mapReduce : site).set(key, value));
        write(site, directory.resolve(SITE));
        // MapReduce's defaults are read after yarn-site.xml and win over it.
        write(mapReduce, directory.resolve("mapred-site.xml"));
        return directory;
    }

    private static void write(Configuration settings, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            settings.writeXml(out);
        }
    }
}
