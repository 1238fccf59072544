// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.tensor;

/** A tensor is not what it must be. The message names it, and says what would be right. */
public final class TensorException extends Exception {
    private static final long serialVersionUID = 1;

    public TensorException(String message) {
        super(message);
    }
}
