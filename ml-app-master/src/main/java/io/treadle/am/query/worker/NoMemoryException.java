// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

/** There is not enough memory to load a model or to run it just now: another process may have taken it. */
public final class NoMemoryException extends ModelException {
    private static final long serialVersionUID = 1;

    public NoMemoryException(String message) {
        super(message);
    }

    public NoMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
