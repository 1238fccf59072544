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

    private WarmUp() {}

    static void run(QueryDesk desk, List<Workflow> workflows, DoubleSupplier nowMs) throws InterruptedException {
        for (Workflow workflow : workflows) {
            for (int i = 0; i < TIMES; i++) {
                ask(desk, workflow, i, nowMs);
            }
            synchronized (desk) {
                workflow.forgetEnds();
            }
        }
    }

    private static void ask(QueryDesk desk, Workflow workflow, int time, DoubleSupplier nowMs)
            throws InterruptedException {
        String name = workflow.spec().name();
        try {
            desk.submit("warm-up-" + name + "-" + time, workflow, zeros(workflow), nowMs.getAsDouble() + EACH_MS)
                    .get(2 * (long) EACH_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | TensorException e) {
            // Zeros need not suit a model: then its first queries tell.
            LOG.info("workflow '{}' has not been measured ahead: {}", name, String.valueOf(e.getMessage()));
        }
    }

    /** Of length 1 where any will do. */
    private static Map<String, Tensor> zeros(Workflow workflow) throws TensorException {
        Map<String, Tensor> zeros = new HashMap<>();
        for (TensorSpec input : workflow.spec().inputs()) {
            List<Long> shape = new ArrayList<>();
            input.shape().forEach(length -> shape.add(length == TensorSpec.ANY ? 1 : length));
            int bytes = (int) Tensor.count(shape) * input.type().bytes();
            zeros.put(input.name(), new Tensor(input.type(), shape, ByteBuffer.allocate(bytes)));
        }
        return zeros;
    }
}
