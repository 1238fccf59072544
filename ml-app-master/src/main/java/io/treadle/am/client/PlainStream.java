// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.treadle.core.text.PlainText;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shows texts of others without obeying them. Names, notes and diagnostics of jobs are whatever their owners wrote: sequences in
 * them could rename a terminal's window, or erase what stands above. They are shown as {@link PlainText} has them; line breaks and
 * tabs stay. Not for use by several threads.
 */
final class PlainStream extends PrintStream {
    private final PrintStream raw;

    /** @param raw where all goes */
    PlainStream(PrintStream raw) {
        this(raw, Pattern.compile("(?!)"));
    }

    private PlainStream(PrintStream raw, Pattern asItIs) {
        super(new Escaping(raw, asItIs), true, UTF_8);
        this.raw = raw;
    }

    /** For what programs print: their colours, and bars of progress that rewrite a line, are as they are. */
    static PlainStream ofLogs(PrintStream raw) {
        return new PlainStream(raw, Pattern.compile("\r|\u001b\\[[0-9;]{0,20}m"));
    }

    /** Writes a sequence of ours that the terminal is to obey. */
    void command(String sequence) {
        flush();
        raw.print(sequence);
        raw.flush();
    }

    /** Gets what {@link PrintStream} has made bytes of, in whatever pieces. */
    private static final class Escaping extends OutputStream {
        private final PrintStream raw;
        private final Pattern asItIs;
        private final CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        /** The first bytes of a character whose last ones have not come. */
        private ByteBuffer begun = ByteBuffer.allocate(0);

        Escaping(PrintStream raw, Pattern asItIs) {
            this.raw = raw;
            this.asItIs = asItIs;
        }

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            ByteBuffer all = ByteBuffer.allocate(begun.remaining() + length)
                    .put(begun)
                    .put(bytes, offset, length)
                    .flip();
            CharBuffer text = CharBuffer.allocate(all.remaining());
            decoder.decode(all, text, false);
            begun = all;
            text.flip();
            StringBuilder shown = new StringBuilder(text.length());
            Matcher matcher = asItIs.matcher(text);
            int at = 0;
            while (matcher.find()) {
                shown.append(PlainText.lines(text.subSequence(at, matcher.start())))
                        .append(matcher.group());
                at = matcher.end();
            }
            shown.append(PlainText.lines(text.subSequence(at, text.length())));
            raw.print(shown);
        }

        @Override
        public void flush() {
            raw.flush();
        }

        /** The process's own output is not this stream's to close. */
        @Override
        public void close() {
            raw.flush();
        }
    }
}
