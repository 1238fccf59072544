// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.nio.charset.StandardCharsets;

/** A caller's secret in a file of its own. */
final class SecretFile {
    private static final int MOST_BYTES = 4096;

    private SecretFile() {}

    /** @throws ClientException if there is none in the file; it does not say what there is */
    static String read(String name) {
        String secret = new String(LocalFile.read(name, MOST_BYTES, "a secret"), StandardCharsets.UTF_8).strip();
        if (!isSecret(secret)) {
            throw new ClientException("'" + name + "' must hold a secret of printable ASCII characters without spaces,"
                    + " and nothing else");
        }
        return secret;
    }

    /** Whether it can stand in a header. */
    static boolean isSecret(String text) {
        return text.matches("[\\x21-\\x7e]+");
    }
}
