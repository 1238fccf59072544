// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.conf;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** The class path of a container that needs Hadoop's classes, in variables that its NodeManager replaces. */
public final class ContainerClassPath {
    /** A JVM's option that has it log to its stderr, whatever the cluster's own configuration of logs is. */
    public static final String LOGGING = "-Dlog4j.configuration=treadle-log4j.properties";

    private ContainerClassPath() {}

    /**
     * The working directory and our jars before the cluster's own class path, so that our classes are our version.
     *
     * @param jars in the working directory
     */
    public static String of(Configuration conf, String... jars) {
        List<String> entries = new ArrayList<>();
        entries.add(Environment.PWD.$$());
        for (String jar : jars) {
            entries.add(Environment.PWD.$$() + "/" + jar);
        }
        for (String entry : conf.getStrings(
                YarnConfiguration.YARN_APPLICATION_CLASSPATH,
                YarnConfiguration.DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH)) {
            entries.add(entry.trim());
        }
        String extra = ClientConf.from(conf).amExtraClasspath();
        if (!extra.isEmpty()) {
            entries.add(extra);
        }
        return String.join(ApplicationConstants.CLASS_PATH_SEPARATOR, entries);
    }
}
