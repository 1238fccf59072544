// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;

/** A screen on which, once it is closed, only last words appear: what an interrupted run goes on to say is no use. */
public final class GatedScreen implements Screen {
    private final Screen screen;
    private boolean closed;

    public GatedScreen(Screen screen) {
        this.screen = screen;
    }

    synchronized void close() {
        closed = true;
    }

    synchronized void lastLine(String text) {
        screen.line(text);
    }

    @Override
    public synchronized void line(String text) {
        if (!closed) {
            screen.line(text);
        }
    }

    @Override
    public synchronized void update(String policy, double elapsedSeconds, List<JobRow> rows) {
        if (!closed) {
            screen.update(policy, elapsedSeconds, rows);
        }
    }

    @Override
    public synchronized void endRun() {
        if (!closed) {
            screen.endRun();
        }
    }
}
