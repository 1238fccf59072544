// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import java.io.IOException;

/** What has come is no message. */
public final class WireException extends IOException {
    private static final long serialVersionUID = 1;

    public WireException(String message) {
        super(message);
    }
}
