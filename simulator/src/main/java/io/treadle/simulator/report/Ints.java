// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/** A list of numbers that grows, without an object for each. */
final class Ints {
    private int[] values = new int[64];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int get(int index) {
        return values[Objects.checkIndex(index, size)];
    }

    void set(int index, int value) {
        values[Objects.checkIndex(index, size)] = value;
    }

    int size() {
        return size;
    }

    /** Leaves only the first {@code newSize}. */
    void shrink(int newSize) {
        size = Objects.checkIndex(newSize, size + 1);
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(size);
        for (int i = 0; i < size; i++) {
            out.writeInt(values[i]);
        }
    }

    /** Adds what was written. */
    void read(DataInput in) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            add(in.readInt());
        }
    }
}
