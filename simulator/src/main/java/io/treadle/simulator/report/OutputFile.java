// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/** A file that is written beside its place and moved there when it is whole. */
final class OutputFile {
    interface Content {
        void write(OutputStream out) throws IOException;
    }

    private OutputFile() {}

    static void write(Path file, Content content) throws IOException {
        Path draft = file.resolveSibling("." + file.getFileName() + ".new");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16)) {
            content.write(out);
        }
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Plain, or gzip with {@code .gz} behind its name; what an earlier run left under the other name goes. */
    static Path write(Path file, boolean gzip, Content content) throws IOException {
        Path zipped = file.resolveSibling(file.getFileName() + ".gz");
        Files.deleteIfExists(gzip ? file : zipped);
        if (!gzip) {
            write(file, content);
            return file;
        }
        write(zipped, out -> {
            GZIPOutputStream compressed = new GZIPOutputStream(out, 1 << 16);
            content.write(new Unclosed(compressed));
            compressed.finish();
        });
        return zipped;
    }

    /** A generator that closes it would end the compressed stream too early to be told of a failure. */
    private static final class Unclosed extends java.io.FilterOutputStream {
        Unclosed(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
