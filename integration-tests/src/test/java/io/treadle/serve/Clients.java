// SPDX-License-Identifier: Apache-2.0
package io.treadle.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.processes.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that ask one query after the other until they are told to stop, and count right answers. */
final class Clients implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger answered = new AtomicInteger();

    /** Asks for what a workflow answers to two numbers. */
    interface Asking {
        HttpResponse<String> ask(String workflow, double x, double y) throws IOException, InterruptedException;
    }

    Clients(TinyService service, String workflow, int count) {
        this(service::ask, workflow, count);
    }

    Clients(Asking service, String workflow, int count) {
        for (int i = 0; i < count; i++) {
            int x = i;
            running.add(threads.submit(() -> {
                while (!isOver.get()) {
                    assertEquals(5.0 * x + 1 - 3, TinyService.result(service.ask(workflow, x, 3)));
                    answered.incrementAndGet();
                }
                return x;
            }));
        }
    }

    int answered() {
        return answered.get();
    }

    void awaitMore(int more) throws Exception {
        int before = answered();
        Await.until(more + " more answers", () -> {
            check();
            return answered() >= before + more;
        });
    }

    /** Fails if one of them has. */
    void check() throws InterruptedException {
        for (Future<?> each : running) {
            if (each.isDone()) {
                try {
                    each.get();
                } catch (ExecutionException e) {
                    throw new AssertionError("a client has failed", e.getCause());
                }
            }
        }
    }

    @Override
    public void close() throws Exception {
        isOver.set(true);
        for (Future<?> each : running) {
            each.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }
}
