// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Style and script of the page, which lie beside this class. */
final class PageFiles {
    private PageFiles() {}

    static String style() {
        return read("page.css");
    }

    /** The scripts of these names, one after the other. */
    static String script(List<String> names) {
        return names.stream().map(PageFiles::read).collect(Collectors.joining());
    }

    /** What a content security policy calls a script with just this text. */
    static String hash(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String read(String name) {
        try (InputStream in = Objects.requireNonNull(PageFiles.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " of this jar", e);
        }
    }
}
