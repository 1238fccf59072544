// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How the ApplicationMaster's JVM is started in its container. */
final class AmCommand {
    static final String MAIN_CLASS = "io.treadle.am.master.TreadleAppMaster";

    private AmCommand() {}

    /** @param memoryMiB the container's memory; the heap leaves room for the JVM itself */
    static String commandLine(long memoryMiB, ClientConf settings) {
        List<String> words = new ArrayList<>(List.of(
                Environment.JAVA_HOME.$$() + "/bin/java",
                "-Xmx" + heapMiB(memoryMiB) + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                ApplicationConstants.JVM_ADD_OPENS_VAR));
        if (!settings.amJavaOptions().isEmpty()) {
            words.add(settings.amJavaOptions());
        }
        words.add(MAIN_CLASS);
        words.add("1>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/AppMaster.stdout");
        words.add("2>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/AppMaster.stderr");
        return String.join(" ", words);
    }

    private static long heapMiB(long memoryMiB) {
        return Math.max(memoryMiB * 6 / 10, memoryMiB - 512);
    }

    /** The working directory and our jar before the cluster's own class path, so that our classes are our version. */
    static String classPath(Configuration conf, ClientConf settings) {
        List<String> entries = new ArrayList<>();
        entries.add(Environment.PWD.$$());
        entries.add(Environment.PWD.$$() + "/" + StagingDirectory.AM_JAR);
        for (String entry : conf.getStrings(
                YarnConfiguration.YARN_APPLICATION_CLASSPATH,
                YarnConfiguration.DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH)) {
            entries.add(entry.trim());
        }
        if (!settings.amExtraClasspath().isEmpty()) {
            entries.add(settings.amExtraClasspath());
        }
        return String.join(ApplicationConstants.CLASS_PATH_SEPARATOR, entries);
    }
}
