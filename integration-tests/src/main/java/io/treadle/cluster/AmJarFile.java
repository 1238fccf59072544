// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import io.treadle.am.client.TreadleClient;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds {@code treadle-am.jar}, that ApplicationMasters and workers start from. */
final class AmJarFile {
    private static final String PROPERTY = "treadle.am.jar";
    private static final String NAME = "treadle-am.jar";

    private AmJarFile() {}

    /** The one that the system property names, else the one beside the client's classes; empty if neither is built. */
    static Optional<Path> find() {
        String named = System.getProperty(PROPERTY, "");
        Path jar = named.isEmpty() ? origin().resolveSibling(NAME) : Path.of(named);
        return Files.isRegularFile(jar) ? Optional.of(jar.toAbsolutePath()) : Optional.empty();
    }

    private static Path origin() {
        try {
            return Path.of(TreadleClient.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("class path entry with a wrong URI", e);
        }
    }
}
