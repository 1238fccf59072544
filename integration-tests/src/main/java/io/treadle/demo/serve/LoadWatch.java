// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.demo.Screen;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Says every few seconds how far a load is and how its service does; on a thread of its own, as queries must not wait. */
final class LoadWatch implements Consumer<LoadProgress>, AutoCloseable {
    private static final int TELL_SECONDS = 5;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "demo-watch");
        made.setDaemon(true);
        return made;
    });
    private final Supplier<ServeFigures> service;
    private final Screen screen;
    private final Future<?> telling;
    private volatile @Nullable LoadProgress last;

    LoadWatch(Supplier<ServeFigures> service, Screen screen) {
        this.service = service;
        this.screen = screen;
        telling = thread.scheduleWithFixedDelay(this::tell, TELL_SECONDS, TELL_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void accept(LoadProgress progress) {
        last = progress;
    }

    private void tell() {
        ServeFigures figures;
        try {
            figures = service.get();
        } catch (RuntimeException e) {
            // A cluster that is just being stopped; the load itself says what is wrong.
            return;
        }
        LoadProgress progress = last;
        if (progress != null) {
            screen.line(line(progress, figures));
        }
    }

    static String line(LoadProgress progress, ServeFigures figures) {
        return String.format(
                Locale.ROOT,
                "   %s, %,d tasks wait; models: %s",
                progress.inWords(),
                figures.queued(),
                figures.heldInWords());
    }

    @Override
    public void close() {
        telling.cancel(true);
        thread.shutdownNow();
    }
}
