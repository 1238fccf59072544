// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

/**
 * Numbers of workers and parameter servers.
 *
 * @param workers at least 1
 * @param servers at least 1
 */
public record PsSize(int workers, int servers) {
    /** @throws IllegalArgumentException where one is below 1 */
    public PsSize {
        if (workers < 1 || servers < 1) {
            throw new IllegalArgumentException(
                    workers + " workers and " + servers + " servers; each must be at least 1");
        }
    }

    /** For a person. */
    public String text() {
        return workers + (workers == 1 ? " worker" : " workers") + " and " + servers
                + (servers == 1 ? " server" : " servers");
    }
}
