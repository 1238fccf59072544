// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

/** Queries' ids begin with their desk's name: no two desks of the same workers use one id, and workers see whose a query is. */
public final class QueryIds {
    private static final char END = '/';

    private QueryIds() {}

    /**
     * What ids of a desk begin with.
     *
     * @param desk its name
     * @param life no earlier desk of that name had it: workers may still run what was asked by that one
     */
    public static String prefix(String desk, String life) {
        return desk + END + life;
    }

    /**
     * What ids of the master's desk begin with.
     *
     * @param attempt number of the ApplicationMaster's
     */
    public static String ofMaster(int attempt) {
        return prefix(Message.MASTER, attempt + "-");
    }

    /** Name of the desk that a query belongs to; empty where its id is none. */
    public static String desk(String query) {
        int end = query.indexOf(END);
        return end < 0 ? "" : query.substring(0, end);
    }
}
