// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import java.io.IOException;

/** A worker cannot load a model; the message says which and why. Another one may be able to. */
public final class UnfitWorkerException extends IOException {
    private static final long serialVersionUID = 1;

    public UnfitWorkerException(String message) {
        super(message);
    }
}
