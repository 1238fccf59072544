// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for what other processes are about to do. */
public final class Await {
    /** Long enough for JVMs that start on a machine with much else to do. */
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    private static final long POLL_NANOS = Duration.ofMillis(200).toNanos();

    private Await() {}

    /** A state from which what is waited for can never come. */
    public static final class HopelessException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public HopelessException(String message) {
            super(message);
        }
    }

    public static void until(String what, Callable<Boolean> condition) {
        until(what, DEADLINE, condition);
    }

    /** For what takes minutes on a machine with nothing else to do. */
    public static void until(String what, Duration patience, Callable<Boolean> condition) {
        value(what, patience, () -> condition.call() ? Optional.of(true) : Optional.empty());
    }

    /** Polls until there is a value; a throw counts as not yet, but for {@link HopelessException}. */
    public static <T> T value(String what, Callable<Optional<T>> look) {
        return value(what, DEADLINE, look);
    }

    private static <T> T value(String what, Duration patience, Callable<Optional<T>> look) {
        long start = System.nanoTime();
        @Nullable Exception last = null;
        while (System.nanoTime() - start < patience.toNanos()) {
            try {
                Optional<T> value = look.call();
                if (value.isPresent()) {
                    return value.get();
                }
                last = null;
            } catch (HopelessException e) {
                throw new AssertionError("waiting for: " + what + ": " + e.getMessage(), e);
            } catch (Exception e) {
                last = e;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        throw new AssertionError(
                what + " has not happened within " + patience.toMinutes() + " minutes"
                        + (last == null ? "" : ", last: " + last),
                last);
    }
}
