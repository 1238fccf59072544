// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Tensors of a few floats. */
public final class Floats {
    private Floats() {}

    public static Tensor of(List<Long> shape, float... values) {
        ByteBuffer data = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            data.putFloat(value);
        }
        try {
            return new Tensor(TensorType.FP32, shape, data.flip());
        } catch (TensorException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static List<Float> in(Tensor tensor) {
        List<Float> values = new ArrayList<>();
        ByteBuffer data = tensor.data();
        while (data.hasRemaining()) {
            values.add(data.getFloat());
        }
        return values;
    }
}
