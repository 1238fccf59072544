// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** An array of numbers. */
public final class Tensor {
    private final TensorType type;
    private final List<Long> shape;
    private final ByteBuffer data;

    /**
     * @param shape lengths of its dimensions; empty for a single number
     * @param data from its position to its limit, little endian, in row-major order; not to be changed afterwards
     * @throws TensorException if there are more or fewer bytes than the shape needs
     */
    public Tensor(TensorType type, List<Long> shape, ByteBuffer data) throws TensorException {
        this.type = type;
        this.shape = List.copyOf(shape);
        this.data = data.slice().asReadOnlyBuffer();
        long needed = count(shape) * type.bytes();
        if (needed != this.data.remaining()) {
            throw new TensorException("has " + this.data.remaining() + " bytes, must have " + needed + " for " + type
                    + " of the shape " + shape);
        }
    }

    /**
     * How many numbers a shape holds.
     *
     * @throws TensorException if a length is negative, or there are more than any array may hold
     */
    public static long count(List<Long> shape) throws TensorException {
        long count = 1;
        for (long length : shape) {
            if (length < 0) {
                throw new TensorException("has the shape " + shape + ", must have lengths of 0 or more");
            }
            if (length > 0 && count > Integer.MAX_VALUE / length) {
                throw new TensorException(
                        "has the shape " + shape + ", must hold fewer than " + Integer.MAX_VALUE + " numbers");
            }
            count *= length;
        }
        return count;
    }

    public TensorType type() {
        return type;
    }

    public List<Long> shape() {
        return shape;
    }

    /** Its numbers, little endian; a view of its own each time. */
    public ByteBuffer data() {
        return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** What it takes, bytes. */
    public int size() {
        return data.remaining();
    }
}
