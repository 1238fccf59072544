// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only the ResourceManager's proxy see the job's page, which asks its readers who they are; others are sent there.
 * It goes by the address that a request comes from, as Hadoop's own {@code AmIpFilter} does. The proxy names its reader in a
 * cookie and checks no rights.
 */
public final class ProxyGate {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyGate.class);
    /** A stranger makes the hosts' names be looked up again, at most this often. */
    private static final long LOOKUP_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** As YARN's proxy names the cookie. */
    private static final String USER_COOKIE = "proxy-user";

    private final List<String> hosts;
    private final String page;
    private final PageReaders readers;
    private Set<InetAddress> proxies = Set.of();
    private boolean here;
    private long lookedUpNanos;

    /**
     * @param hosts names or addresses of the hosts on which a proxy may run
     * @param page the job's page as the proxy serves it, without a slash at the end
     * @param readers who may read it
     */
    public ProxyGate(List<String> hosts, String page, PageReaders readers) {
        this.hosts = List.copyOf(hosts);
        this.page = page;
        this.readers = readers;
        lookUp();
    }

    /** Whether a request from this address may come from a proxy. */
    synchronized boolean admits(InetAddress remote) {
        if (isProxy(remote)) {
            return true;
        }
        if (System.nanoTime() - lookedUpNanos < LOOKUP_NANOS) {
            return false;
        }
        lookUp();
        return isProxy(remote);
    }

    /**
     * Whether the page may be shown to the person for whom the proxy asks.
     *
     * @param cookies headers of this name of the proxy's request
     */
    boolean mayRead(List<String> cookies) {
        return readers.mayRead(user(cookies));
    }

    /** Who asks, by the proxy's cookie; empty where it says nobody. */
    static Optional<String> user(List<String> cookies) {
        return cookies.stream()
                .flatMap(header -> Stream.of(header.split(";")))
                .map(cookie -> cookie.strip().split("=", 2))
                .filter(cookie -> cookie.length == 2 && cookie[0].equals(USER_COOKIE))
                .map(cookie -> decoded(cookie[1]))
                .filter(user -> !user.isBlank())
                .findFirst();
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("\"", ""), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private boolean isProxy(InetAddress remote) {
        // A proxy on this host may come from any of the host's addresses.
        return proxies.contains(remote) || (here && isOfThisHost(remote));
    }

    private void lookUp() {
        Set<InetAddress> found = new HashSet<>();
        for (String host : hosts) {
            try {
                found.addAll(List.of(InetAddress.getAllByName(host)));
            } catch (UnknownHostException e) {
                LOG.warn("the proxy's host '{}' cannot be looked up: its requests are sent to {}", host, page);
            }
        }
        proxies = found;
        here = found.stream().anyMatch(ProxyGate::isOfThisHost);
        lookedUpNanos = System.nanoTime();
    }

    private static boolean isOfThisHost(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Where a request that did not come through the proxy should go. */
    String address(URI request) {
        String query = request.getRawQuery();
        return page + request.getRawPath() + (query == null ? "" : "?" + query);
    }
}
