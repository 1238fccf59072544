// SPDX-License-Identifier: Apache-2.0
package io.treadle.cluster;

import io.treadle.am.client.TreadleClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The ApplicationMaster's jar: the one that the client's classes came from, or one packed from their folder. */
final class AmJarFile {
    private AmJarFile() {}

    /** @param directory where a jar may be made */
    static Path find(Path directory) throws IOException {
        Path origin = origin();
        return Files.isDirectory(origin) ? pack(origin, directory.resolve("treadle-am.jar")) : origin;
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

    private static Path pack(Path folder, Path jar) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Path file : files) {
                entries.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                Files.copy(file, entries);
                entries.closeEntry();
            }
        }
        return jar;
    }
}
