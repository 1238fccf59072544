// SPDX-License-Identifier: Apache-2.0
package io.treadle.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where Chromium and its driver are on this machine. */
public record BrowserPrograms(Path chromium, Path driver) {
    public static final String MISSING =
            "skipped: no chromium and chromedriver on this machine; on Debian: apt-get install chromium chromium-driver";

    /** Empty where one of them is missing. */
    public static Optional<BrowserPrograms> find() {
        Optional<Path> chromium = program("chromium", "chromium-browser", "google-chrome");
        Optional<Path> driver = program("chromedriver");
        return chromium.isPresent() && driver.isPresent()
                ? Optional.of(new BrowserPrograms(chromium.get(), driver.get()))
                : Optional.empty();
    }

    private static Optional<Path> program(String... names) {
        List<String> directories = Stream.concat(
                        Stream.of("/usr/bin"),
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)))
                .filter(directory -> !directory.isEmpty())
                .toList();
        return Stream.of(names)
                .flatMap(name -> directories.stream().map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
