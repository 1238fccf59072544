// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

/** A model cannot be loaded, or does not run. The message names it, and says why. */
public class ModelException extends Exception {
    private static final long serialVersionUID = 1;

    public ModelException(String message) {
        super(message);
    }

    public ModelException(String message, Throwable cause) {
        super(message, cause);
    }
}
