// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InParallelTest {
    @Test
    void allIsDoneOnce() {
        List<Integer> done = Collections.synchronizedList(new ArrayList<>());
        InParallel.run(
                4,
                IntStream.range(0, 1000)
                        .mapToObj(i -> (Runnable) () -> done.add(i))
                        .toList());
        assertEquals(1000, done.size());
        assertEquals(1000, Set.copyOf(done).size());
    }

    @Test
    void piecesRunAtTheSameTime() {
        // Each waits for the others: one after the other they would wait for ever.
        CountDownLatch all = new CountDownLatch(3);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Runnable piece = () -> {
            threads.add(Thread.currentThread());
            all.countDown();
            try {
                all.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        InParallel.run(3, List.of(piece, piece, piece));
        assertEquals(3, threads.size());
    }

    @Test
    void nothingBeginsAfterAFailure() {
        List<Integer> done = new ArrayList<>();
        IllegalStateException failure = new IllegalStateException("second");
        List<Runnable> work = List.of(
                () -> done.add(1),
                () -> {
                    throw failure;
                },
                () -> done.add(3));
        assertSame(failure, assertThrows(IllegalStateException.class, () -> InParallel.run(1, work)));
        assertEquals(List.of(1), done);
    }
}
