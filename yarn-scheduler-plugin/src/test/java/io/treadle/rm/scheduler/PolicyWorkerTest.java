// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PolicyWorkerTest {
    /** The machine has no thread left at that moment. */
    @Test
    void workerWhoseThreadCannotStartIsNotBusyForEver() throws Exception {
        AtomicBoolean hasThreads = new AtomicBoolean();
        PolicyWorker worker = new PolicyWorker(task -> {
            if (!hasThreads.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });
        assertThrows(OutOfMemoryError.class, () -> worker.start(() -> 1, () -> {}));
        assertFalse(worker.isBusy());
        hasThreads.set(true);
        assertEquals(1, worker.start(() -> 1, () -> {}).get());
        assertFalse(worker.isBusy());
    }
}
