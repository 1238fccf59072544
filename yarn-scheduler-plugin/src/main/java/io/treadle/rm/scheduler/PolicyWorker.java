// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The thread in which the policy of one queue plans. A policy that loops and ignores its interrupt keeps this thread, and
 * gets no second one: each would keep a core of the ResourceManager's machine. Another policy in its place gets one.
 */
final class PolicyWorker {
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicLong workedNanos = new AtomicLong();
    private volatile @Nullable Thread thread;
    private final Executor executor;
    private final Runnable end;

    PolicyWorker() {
        ExecutorService service = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "treadle-policy");
            made.setDaemon(true);
            thread = made;
            return made;
        });
        executor = service;
        end = service::shutdownNow;
    }

    PolicyWorker(Executor executor) {
        this.executor = executor;
        this.end = () -> {};
    }

    /** One without a thread: {@link #start} returns when the task has ended. */
    static PolicyWorker onTheCallersThread() {
        return new PolicyWorker(Runnable::run);
    }

    /** Whether what was started is still under way, also where nobody waits for it any more. */
    boolean isBusy() {
        return busy.get();
    }

    /**
     * Starts a task; only while it is not busy.
     *
     * @param ended called by the thread of the task when it has ended
     */
    <T> Future<T> start(Callable<T> task, Runnable ended) {
        busy.set(true);
        FutureTask<T> running =
                new FutureTask<>(() -> {
                    long begin = System.nanoTime();
                    try {
                        return task.call();
                    } finally {
                        workedNanos.addAndGet(System.nanoTime() - begin);
                        busy.set(false);
                    }
                }) {
                    @Override
                    protected void done() {
                        ended.run();
                    }
                };
        try {
            executor.execute(running);
        } catch (RuntimeException | Error e) {
            // Where no thread can be made, nobody would ever say that it has ended.
            busy.set(false);
            throw e;
        }
        return running;
    }

    /** How long its tasks that have ended took since this was asked last. */
    long takeWorkedNanos() {
        return workedNanos.getAndSet(0);
    }

    void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    void stop() {
        end.run();
    }
}
