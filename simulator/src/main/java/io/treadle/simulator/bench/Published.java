// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

/**
 * What another simulator costs for the same work, as it was published or measured, on another machine than ours.
 *
 * @param simulator its name
 * @param seconds the least that it takes
 * @param inWords how much that is, and of what
 * @param source where that is known from
 */
record Published(String simulator, double seconds, String inWords, String source) {
    private static final String HELIOS = "HeliosArtifact";
    private static final String MEASURED = "measured with the unmodified program under CPython";

    static final Published HELIOS_FIFO = new Published(HELIOS, 98, "98 CPU s", MEASURED);
    static final Published HELIOS_SJF = new Published(HELIOS, 63, "63 CPU s", MEASURED);
    /** The least of what was measured over its policies: for each of the other two alone it is not known. */
    static final Published HELIOS_OTHER = new Published(HELIOS, 61, "61–200 CPU s", MEASURED);

    static final Published SYNERGY = new Published(
            "Synergy's simulator", 205, "205 CPU s", "measured with the unmodified program, CPython 3.11");
    static final Published FGD =
            new Published("FGD's simulator", 159, "159–204 s", "measured with the unmodified program, in Go");
}
