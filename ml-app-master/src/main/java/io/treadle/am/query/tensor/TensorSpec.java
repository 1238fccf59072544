// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.tensor;

import java.util.List;

/**
 * What a model takes in or gives out.
 *
 * @param shape lengths of its dimensions; {@link #ANY} where it may be any
 */
public record TensorSpec(String name, TensorType type, List<Long> shape) {
    public static final long ANY = -1;

    public TensorSpec {
        shape = List.copyOf(shape);
    }

    /** @throws TensorException if the tensor cannot be this one */
    public void check(Tensor tensor) throws TensorException {
        if (tensor.type() != type) {
            throw new TensorException("'" + name + "' is " + tensor.type() + ", must be " + type);
        }
        if (!fits(tensor.shape())) {
            throw new TensorException("'" + name + "' has the shape " + tensor.shape() + ", must be " + inWords());
        }
    }

    private boolean fits(List<Long> given) {
        if (given.size() != shape.size()) {
            return false;
        }
        for (int i = 0; i < given.size(); i++) {
            if (shape.get(i) != ANY && !shape.get(i).equals(given.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether what fits the other always fits this. */
    public boolean takes(TensorSpec other) {
        return other.type == type && fits(other.shape);
    }

    private String inWords() {
        return shape.stream()
                .map(length -> length == ANY ? "any" : String.valueOf(length))
                .toList()
                .toString();
    }
}
