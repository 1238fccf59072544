// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What one logger says at a level or above it, until it is closed. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Logger logger;

    /** @param logger name of a class or of a package */
    LogLines(String logger, Level least) {
        this.logger = Logger.getLogger(logger);
        setThreshold(least);
        this.logger.addAppender(this);
    }

    @Override
    protected void append(LoggingEvent event) {
        lines.add(event.getRenderedMessage());
    }

    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public void close() {
        logger.removeAppender(this);
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
