// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Nothing is logged as an error, by Treadle or by Hadoop: both catch most of what goes wrong, and log it. */
final class ErrorsLogged extends AppenderSkeleton implements Check, AutoCloseable {
    /** Hadoop says so also without Treadle, and nothing is wrong. */
    private static final List<String> STOCK = List.of(
            // For each decrease of a container of a plain application.
            "Invalid event: RELEASED at NEW", "Invalid event RELEASED on container");

    private final List<String> errors = new ArrayList<>();

    ErrorsLogged() {
        setThreshold(Level.ERROR);
        Logger.getRootLogger().addAppender(this);
    }

    @Override
    protected synchronized void append(LoggingEvent event) {
        Throwable cause = event.getThrowableInformation() == null
                ? null
                : event.getThrowableInformation().getThrowable();
        String text = event.getLoggerName() + ": " + event.getRenderedMessage() + (cause == null ? "" : ", " + cause);
        if (STOCK.stream().noneMatch(text::contains)) {
            errors.add(text + (cause == null ? "" : trace(cause)));
        }
    }

    private static String trace(Throwable cause) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] trace = cause.getStackTrace();
        for (int i = 0; i < Math.min(30, trace.length); i++) {
            text.append("\n        at ").append(trace[i]);
        }
        return text.toString();
    }

    /** What was logged so far does not count. */
    synchronized void forget() {
        errors.clear();
    }

    @Override
    public synchronized void look(SimulatedCluster cluster) {
        errors.removeIf(error -> cluster.policiesFail() && error.contains("failed 2 times in a row"));
        if (!errors.isEmpty()) {
            throw new Violation("no error is logged", errors.get(0));
        }
    }

    @Override
    public void close() {
        Logger.getRootLogger().removeAppender(this);
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
