// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks each workflow before anybody else does, with zeros, so that it is known what its tasks take. */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    /** The first time models are loaded, and tasks take longer than they will. */
    private static final int TIMES = 3;

    private static final double EACH_MS = 30_000;
    private static final long MOST_BYTES = 16 << 20;

    private WarmUp() {}

    /** @param prefix of queries' ids: as {@link DeskService} */
    static void run(QueryDesk desk, String prefix, List<Workflow> workflows, DoubleSupplier nowMs)
            throws InterruptedException {
        for (Workflow workflow : workflows) {
            for (int i = 0; i < TIMES; i++) {
                ask(desk, prefix + "warm-up-" + workflow.spec().name() + "-" + i, workflow, nowMs);
            }
            synchronized (desk) {
                workflow.forgetEnds();
            }
        }
    }

    private static void ask(QueryDesk desk, String id, Workflow workflow, DoubleSupplier nowMs)
            throws InterruptedException {
        try {
            desk.submit(id, workflow, zeros(workflow), nowMs.getAsDouble() + EACH_MS)
                    .get(2 * (long) EACH_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | TensorException e) {
            // Zeros need not suit a model: then its first queries tell.
            LOG.info(
                    "workflow '{}' has not been measured ahead: {}",
                    workflow.spec().name(),
                    String.valueOf(e.getMessage()));
        }
    }

    /** Of length 1 where any will do. */
    private static Map<String, Tensor> zeros(Workflow workflow) throws TensorException {
        Map<String, Tensor> zeros = new HashMap<>();
        for (TensorSpec input : workflow.spec().inputs()) {
            List<Long> shape = new ArrayList<>();
            input.shape().forEach(length -> shape.add(length == TensorSpec.ANY ? 1 : length));
            long bytes = Tensor.count(shape) * input.type().bytes();
            if (bytes > MOST_BYTES) {
                throw new TensorException("'" + input.name() + "' has " + bytes + " bytes, which are too many to try");
            }
            zeros.put(input.name(), new Tensor(input.type(), shape, ByteBuffer.allocate((int) bytes)));
        }
        return zeros;
    }
}
