// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

/** A query is not answered. */
public final class QueryException extends Exception {
    private static final long serialVersionUID = 1;

    /** Whose fault it is, which says what the client can do. */
    public enum Kind {
        /** The query cannot be answered as it is. */
        WRONG,
        /** Its time was over. */
        LATE,
        /** The service cannot answer now: the same query may be answered later. */
        UNAVAILABLE,
        /** A model failed. */
        FAILED
    }

    private final Kind kind;

    public QueryException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
