// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.treadle.am.protocol.HttpLimits;
import io.treadle.am.protocol.RunnerProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An ApplicationMaster that was started again says to the runners where it is. */
class HttpRunnerGatewayTest {
    private static final int RUNNERS = 16;
    private static final int PATIENCE_SECONDS = 60;
    private static final Duration FOR_LONG = Duration.ofHours(1);

    private final List<HttpServer> runners = new ArrayList<>();
    private final HttpRunnerGateway gateway = new HttpRunnerGateway("here:1", "secret", FOR_LONG);

    @AfterEach
    void stop() {
        runners.forEach(runner -> runner.stop(0));
    }

    /** Each is told once here: a caller that repeats it would hide an announcement that is lost. */
    @Test
    void runnersOfALargeJobAllHearIt() throws Exception {
        CountDownLatch heard = new CountDownLatch(RUNNERS);
        for (int i = 0; i < RUNNERS; i++) {
            runner(heard::countDown);
        }
        runners.forEach(this::announce);
        assertTrue(heard.await(PATIENCE_SECONDS, TimeUnit.SECONDS), heard.getCount() + " runners heard nothing");
    }

    /** A runner that takes the call and says nothing has one call open, however often it is told. */
    @Test
    void silentRunnerIsToldOnceAtATime() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        HttpServer silent = runner(() -> {
            calls.incrementAndGet();
            called.countDown();
            answer.await();
        });
        announce(silent);
        assertTrue(called.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        for (int i = 0; i < 100; i++) {
            announce(silent);
        }
        CountDownLatch heard = new CountDownLatch(1);
        announce(runner(heard::countDown));
        assertTrue(heard.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "another runner is told meanwhile");
        assertEquals(1, calls.get());
        answer.countDown();
    }

    /** Hosts are what runners say of themselves: of one that makes no address the caller hears nothing, and others are told. */
    @Test
    void hostThatMakesNoAddressHarmsNobody() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        for (String host : List.of("fd00::2", "a_b", "no host", "", "[")) {
            gateway.announce(host, 1);
        }
        announce(runner(heard::countDown));
        assertTrue(heard.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private interface Call {
        void come() throws InterruptedException;
    }

    private HttpServer runner(Call call) throws IOException {
        HttpServer runner = HttpLimits.newServer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        runner.createContext(RunnerProtocol.ANNOUNCE, exchange -> {
            try (exchange) {
                call.come();
                exchange.sendResponseHeaders(204, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        runner.setExecutor(Executors.newCachedThreadPool(run -> {
            Thread thread = new Thread(run, "runner");
            thread.setDaemon(true);
            return thread;
        }));
        runner.start();
        runners.add(runner);
        return runner;
    }

    private void announce(HttpServer runner) {
        gateway.announce("127.0.0.1", runner.getAddress().getPort());
    }
}
