// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

/**
 * Where a service answers, and what it knows the caller by.
 *
 * @param secret of the caller
 */
public record ServiceAddress(String host, int port, String secret) {
    /** Secrets never show in logs. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
