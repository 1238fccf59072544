// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.tensor;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Kinds of numbers, by their names in the Open Inference Protocol. */
public enum TensorType {
    BOOL(1),
    UINT8(1),
    INT8(1),
    INT32(4),
    INT64(8),
    FP32(4),
    FP64(8);

    private final int bytes;

    TensorType(int bytes) {
        this.bytes = bytes;
    }

    /** Of one number. */
    public int bytes() {
        return bytes;
    }

    public static Optional<TensorType> of(String name) {
        return Arrays.stream(values()).filter(type -> type.name().equals(name)).findFirst();
    }

    /** For messages. */
    public static String names() {
        return Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "));
    }
}
