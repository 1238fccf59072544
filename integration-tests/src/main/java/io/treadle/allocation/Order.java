// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

/**
 * What a {@link ManagerProcess} is to do next, a line of JSON.
 *
 * @param kind what
 * @param setting for {@link Kind#START}
 * @param count containers of a window, members of a gang
 */
record Order(Kind kind, Setting setting, int count) {
    enum Kind {
        /** A new ResourceManager with all applications running. */
        START,
        /** So many containers are allocated to plain applications, timed, and given back. */
        WINDOW,
        /** The heap in use after a collection. */
        HEAP,
        /** A gang of so many members comes, is granted and ends. */
        GANG,
        /** The queues are read again, timed. */
        REFRESH
    }
}
