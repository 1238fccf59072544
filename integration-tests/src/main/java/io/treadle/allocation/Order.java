// SPDX-License-Identifier: Apache-2.0
package io.treadle.allocation;

/**
 * What a {@link ManagerProcess} is to do next, a line of JSON.
 *
 * @param kind what
 * @param setting for {@link Kind#START}
 * @param count containers of a window or a node, members of a gang, number of a page
 */
record Order(Kind kind, Setting setting, int count) {
    enum Kind {
        /** A new ResourceManager with all applications running. */
        START("starts"),
        /** A window at once, for which no figure is wanted. */
        WARM_UP("warms up"),
        /** So many containers are allocated to plain applications, timed, and given back. */
        WINDOW("a window"),
        /** A window of so many containers begins, of which parts are timed. */
        OPEN("a window begins"),
        /** So many containers of the window are allocated before the first timed part. */
        UNTIMED_PART("a window begins"),
        /** So many containers of the window are allocated, timed. */
        PART("a part of a window"),
        /** The window is over. */
        CLOSE("a window ends"),
        /** The heap in use after a collection. */
        HEAP("the heap is read"),
        /** A gang of so many members comes, is granted and ends. */
        GANG("gangs"),
        /** The queues are read again, timed. */
        REFRESH("queues are refreshed"),
        /** A node comes with so many containers that the scheduler does not know, timed, and is gone. */
        RECOVER("a node is recovered"),
        /** A page is read; the count says which of {@link BenchPages}. */
        PAGE("pages are read");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** What happens, for a person. */
        String words() {
            return words;
        }
    }
}
