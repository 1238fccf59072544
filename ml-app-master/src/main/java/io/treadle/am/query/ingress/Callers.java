// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who may ask, by a secret of each user's own. Secrets are kept as digests, and never show. */
public final class Callers {
    private static final String SCHEME = "Bearer ";
    /** What a secret must have at least; {@code openssl rand -hex 16} has twice as many. */
    private static final int LEAST_LENGTH = 16;

    private final Map<String, byte[]> digests = new TreeMap<>();

    /**
     * @param secrets of each user by name
     * @throws IllegalArgumentException if there is nobody, or a secret is short
     */
    public Callers(Map<String, String> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("a service without users can answer nobody, must have one at least");
        }
        secrets.forEach((user, secret) -> {
            if (secret.length() < LEAST_LENGTH) {
                throw new IllegalArgumentException("the secret of '" + user + "' has " + secret.length()
                        + " characters, must have " + LEAST_LENGTH + " or more");
            }
            digests.put(user, digest(secret));
        });
    }

    /** @param authorization the header, where there is one */
    Optional<String> of(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        byte[] given = digest(authorization.substring(SCHEME.length()).strip());
        Optional<String> user = Optional.empty();
        // All of them, so that the time it takes says nothing of who is there.
        for (Map.Entry<String, byte[]> each : digests.entrySet()) {
            if (MessageDigest.isEqual(given, each.getValue())) {
                user = Optional.of(each.getKey());
            }
        }
        return user;
    }

    private static byte[] digest(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
