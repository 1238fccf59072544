// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;

/** Sends what Hadoop logs to a file: the terminal belongs to the demo. */
public final class QuietLogging {
    private QuietLogging() {}

    public static void to(Path file) {
        LogManager.resetConfiguration();
        Logger root = Logger.getRootLogger();
        root.setLevel(Level.WARN);
        Logger.getLogger("io.treadle").setLevel(Level.INFO);
        // Says for every container that what it would delete is gone already.
        Logger.getLogger("org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor")
                .setLevel(Level.ERROR);
        java.util.logging.LogManager.getLogManager().reset();
        try {
            root.addAppender(
                    new FileAppender(new PatternLayout("%d{ISO8601} %-5p %c{1} [%t] %m%n"), file.toString(), false));
        } catch (IOException e) {
            throw new DemoException("log " + file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
