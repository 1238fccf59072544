// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * What a service's pages are below.
 *
 * @param base without a slash at its end
 * @param secret of the caller
 */
record Endpoint(String base, String secret) {
    static Endpoint of(ServiceAddress address) {
        String host = address.host().contains(":") ? "[" + address.host() + "]" : address.host();
        return new Endpoint("http://" + host + ":" + address.port(), address.secret());
    }

    /** @throws UsageException if it is no address of a service */
    static String base(String url) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if ((scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                return url.replaceFirst("/+$", "");
            }
        } catch (URISyntaxException e) {
            // What is wrong with it is said below.
        }
        throw new UsageException("option --url is given '" + url + "', must be the address of a service without a page,"
                + " such as http://node7:40123");
    }

    URI page(String path) {
        return URI.create(base + path);
    }

    /** Secrets never show in logs. */
    @Override
    public String toString() {
        return base;
    }
}
