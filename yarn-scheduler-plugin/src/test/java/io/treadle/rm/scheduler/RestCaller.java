// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Proxy;
import javax.servlet.http.HttpServletRequest;

/** Calls of a REST resource without a web server. */
final class RestCaller {
    private RestCaller() {}

    /** A request of which only the user is asked for. */
    static HttpServletRequest by(String user) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                RestCaller.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getRemoteUser" -> user;
                    case "getRemoteAddr" -> "127.0.0.1";
                    default -> null;
                });
    }

    static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }
}
