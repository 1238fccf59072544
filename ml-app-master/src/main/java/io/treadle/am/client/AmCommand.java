// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import io.treadle.am.conf.ContainerClassPath;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;

/** How the ApplicationMaster's JVM is started in its container. */
final class AmCommand {
    private AmCommand() {}

    /**
     * @param main the ApplicationMaster's class
     * @param isService which runs for long and has much to do: the compiler that takes longer pays; jobs want to start soon
     * @param memoryMiB the container's memory; the heap leaves room for the JVM itself
     */
    static String commandLine(String main, boolean isService, long memoryMiB, ClientConf settings) {
        List<String> words = new ArrayList<>(List.of(
                Environment.JAVA_HOME.$$() + "/bin/java",
                "-Xmx" + heapMiB(memoryMiB) + "m",
                "-XX:+UseSerialGC",
                // The next attempt goes on; a process that lacks one of its threads would not.
                "-XX:+ExitOnOutOfMemoryError"));
        if (!isService) {
            words.add("-XX:TieredStopAtLevel=1");
        }
        words.add(ContainerClassPath.LOGGING);
        words.add(ApplicationConstants.JVM_ADD_OPENS_VAR);
        if (!settings.amJavaOptions().isEmpty()) {
            words.add(settings.amJavaOptions());
        }
        words.add(main);
        words.add("1>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/AppMaster.stdout");
        words.add("2>" + ApplicationConstants.LOG_DIR_EXPANSION_VAR + "/AppMaster.stderr");
        return String.join(" ", words);
    }

    private static long heapMiB(long memoryMiB) {
        return Math.max(memoryMiB * 6 / 10, memoryMiB - 512);
    }
}
