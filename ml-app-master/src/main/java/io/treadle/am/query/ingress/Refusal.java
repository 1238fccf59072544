// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

/** A request is not answered with what it asks for, but with a status and a message. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;

    Refusal(int status, String message) {
        super(message);
        this.status = status;
    }

    /** Of HTTP. */
    int status() {
        return status;
    }

    static Refusal of(QueryException e) {
        int status =
                switch (e.kind()) {
                    case WRONG -> 400;
                    case FAILED -> 500;
                    case UNAVAILABLE -> 503;
                    case LATE -> 504;
                };
        return new Refusal(status, String.valueOf(e.getMessage()));
    }

    /** Whether the same request may be answered if it comes again soon. */
    boolean isPassing() {
        return status == 429 || status == 503;
    }
}
