// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

/** A service has not answered what may be right. The message is as a {@link ClientException}'s. */
public final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** After what asks a service again that has not said when. */
    static final long SOON_MS = 500;
    /** Of what is not asked again by itself. */
    static final long NEVER = -1;

    private final long againAfterMs;

    /** @param againAfterMs when it is worth asking again, or {@link #NEVER} */
    UnansweredException(String message, long againAfterMs) {
        super(message);
        this.againAfterMs = againAfterMs;
    }

    long againAfterMs() {
        return againAfterMs;
    }

    /** There always is one. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
