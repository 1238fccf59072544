// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The part of a list that a REST call asks for.
 *
 * @param offset how many entries come before it
 * @param limit how many entries it has at most
 */
record PageOf(long offset, int limit) {
    /** Entries where the caller does not say how many. */
    static final int DEFAULT = 1000;
    /** The most that a caller gets. */
    static final int MOST = 10_000;

    static final PageOf FIRST = new PageOf(0, DEFAULT);

    /**
     * @param limit of the query; empty for the default
     * @param offset of the query; empty for 0
     * @throws IllegalArgumentException if one is no number in its range
     */
    static PageOf parse(String limit, String offset) {
        return new PageOf(
                number("offset", offset, 0, 0, 1_000_000_000), (int) number("limit", limit, DEFAULT, 1, MOST));
    }

    /** As {@link #parse}, for a call whose answer says with status 400 what is wrong. */
    static PageOf asked(String limit, String offset) {
        try {
            return parse(limit, offset);
        } catch (IllegalArgumentException e) {
            throw HttpErrors.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static long number(String name, String value, long otherwise, long least, long most) {
        if (value.isEmpty()) {
            return otherwise;
        }
        long number = value.matches("[0-9]{1,10}") ? Long.parseLong(value) : -1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    name + " is '" + value + "', must be a whole number from " + least + " to " + most);
        }
        return number;
    }

    <T> List<T> of(List<T> all) {
        int from = (int) Math.min(offset, all.size());
        return all.subList(from, (int) Math.min(all.size(), (long) from + limit));
    }

    /** Says beside the entries which of them they are. */
    void put(ObjectNode json, int total) {
        json.put("total", total).put("offset", offset).put("limit", limit);
    }
}
