// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import io.treadle.am.query.tensor.Tensor;
import java.util.Map;

/** A message with the tensors that belong to it, by name. */
public record Frame(Message message, Map<String, Tensor> tensors) {
    public Frame {
        tensors = Map.copyOf(tensors);
    }

    public static Frame of(Message message) {
        return new Frame(message, Map.of());
    }
}
