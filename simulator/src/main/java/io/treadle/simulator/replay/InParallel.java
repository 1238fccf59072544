// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Work that is done by several threads, begun in its order. */
public final class InParallel {
    private InParallel() {}

    /**
     * Returns when all is done. Where a piece of work fails, what has begun is finished and no more begins.
     *
     * @param threads at least 1
     * @throws RuntimeException what the first piece, in their order, that failed has thrown
     */
    public static void run(int threads, List<? extends Runnable> work) {
        AtomicBoolean isBroken = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<? extends Future<?>> pieces = work.stream()
                    .map(piece -> pool.submit(() -> {
                        if (!isBroken.get()) {
                            run(piece, isBroken);
                        }
                    }))
                    .toList();
            pool.shutdown();
            for (Future<?> piece : pieces) {
                await(piece);
            }
        } finally {
            pool.shutdown();
        }
    }

    private static void run(Runnable piece, AtomicBoolean isBroken) {
        boolean isDone = false;
        try {
            piece.run();
            isDone = true;
        } finally {
            if (!isDone) {
                isBroken.set(true);
            }
        }
    }

    private static void await(Future<?> piece) {
        boolean isInterrupted = false;
        while (true) {
            try {
                piece.get();
                break;
            } catch (InterruptedException e) {
                isInterrupted = true;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                if (e.getCause() instanceof Error failure) {
                    throw failure;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
