// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A runner's first call, and its first after the ApplicationMaster was started again.
 *
 * @param host the runner's host, as its node names it
 * @param port where the runner listens for announcements
 */
public record RegisterMessage(String containerId, String host, int port) {
    public String toJson() {
        return Json.object()
                .put("containerId", containerId)
                .put("host", host)
                .put("port", port)
                .toString();
    }

    /** @throws io.treadle.core.wire.WireFormatException if the text is no such message */
    public static RegisterMessage fromJson(String text) {
        ObjectNode json = Json.parse("register message", text);
        return new RegisterMessage(
                Json.text(json, "containerId"), Json.text(json, "host"), (int) Json.integer(json, "port", 0, 65_535));
    }
}
