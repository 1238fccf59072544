// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Time limits of the JDK's HTTP server, which has none of its own: a connection that sends half a request, such as a port
 * scanner's, would hold its thread for ever. The JDK reads them once, when the process makes its first server.
 */
public final class HttpLimits {
    private static final int REQUEST_SECONDS = 10;
    /** From the end of the request to the end of the answer, which in a service includes the query's run. */
    private static final int RESPONSE_SECONDS = 90;

    /**
     * Connections that wait for their next request. Beyond so many each is closed once it is answered, and a client that has
     * just sent the next request on it gets no answer: as many as there may be queries, twice, as they come and go.
     */
    private static final int MOST_IDLE = 2048;

    /** Clients keep connections for a minute or more, and should be those that close them. */
    private static final int IDLE_SECONDS = 120;

    private HttpLimits() {}

    /** @param backlog connections that may wait to be taken; 0 for the system's own bound */
    public static HttpServer newServer(InetSocketAddress address, int backlog) throws IOException {
        apply();
        return HttpServer.create(address, backlog);
    }

    /** For servers of other kinds: call it before they are made. */
    public static void apply() {
        System.setProperty("sun.net.httpserver.maxReqTime", Integer.toString(REQUEST_SECONDS));
        System.setProperty("sun.net.httpserver.maxRspTime", Integer.toString(RESPONSE_SECONDS));
        System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(MOST_IDLE));
        System.setProperty("sun.net.httpserver.idleInterval", Integer.toString(IDLE_SECONDS));
        // Otherwise the end of an answer waits for the client's delayed acknowledgement, some 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }
}
