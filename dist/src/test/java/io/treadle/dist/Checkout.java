// SPDX-License-Identifier: Apache-2.0
package io.treadle.dist;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the project that the tests read. */
final class Checkout {
    static final Path ROOT = Path.of(property("treadle.checkout"));
    static final Path CONF = ROOT.resolve("conf");
    static final Path DOCS = ROOT.resolve("docs");
    static final Path TARBALL = Path.of(property("treadle.tarball"));
    static final String VERSION = property("treadle.version");

    private Checkout() {}

    /** Every file below a directory, as paths relative to it, sorted. */
    static List<String> filesBelow(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static String property(String name) {
        return requireNonNull(System.getProperty(name), () -> name + " is not set: run the test through Maven");
    }
}
