// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.files.WholeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** A file that is packed where it is large. */
final class OutputFile {
    private OutputFile() {}

    /** Plain, or gzip with {@code .gz} behind its name; what an earlier run left under the other name goes. */
    static Path write(Path file, boolean gzip, WholeFile.Content content) throws IOException {
        Path zipped = file.resolveSibling(file.getFileName() + ".gz");
        Files.deleteIfExists(gzip ? file : zipped);
        if (!gzip) {
            WholeFile.write(file, content);
            return file;
        }
        WholeFile.write(zipped, out -> {
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
