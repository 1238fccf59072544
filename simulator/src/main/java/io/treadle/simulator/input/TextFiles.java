// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens text files; one that begins as gzip does is unpacked while it is read. */
public final class TextFiles {
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int ZSTD_MAGIC = 0x28b5;

    /** Of so many characters at its beginning hardly a file that is no text has none that are zero. */
    private static final int LOOKED_AT = 1024;

    /** Where POSIX's tar format has its name. */
    private static final int TAR_MAGIC_AT = 257;

    private static final String TAR_MAGIC = "ustar";
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private TextFiles() {}

    /** Takes one line after the other. */
    public interface Lines {
        /** @param number of the line in the file, from 1 */
        void take(long number, String text);
    }

    /**
     * Hands in the lines of a file that are not blank.
     *
     * @throws InputException if there is no such file or it cannot be read
     */
    public static void lines(Path file, Lines lines) {
        try (BufferedReader in = openRows(file)) {
            long number = 0;
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                number++;
                if (!text.isBlank()) {
                    lines.take(number, text);
                }
            }
        } catch (IOException e) {
            throw cannotRead(file, e);
        }
    }

    /** @throws InputException if there is no such file or it cannot be read */
    public static BufferedReader open(Path file) {
        return open(file, false);
    }

    /**
     * The same for a file that is read line by line. A line that is longer than any row of a table fails while it is read.
     *
     * @throws InputException if there is no such file or it cannot be read
     */
    public static BufferedReader openRows(Path file) {
        return open(file, true);
    }

    private static BufferedReader open(Path file, boolean isRows) {
        if (!Files.isRegularFile(file)) {
            throw new InputException(Files.exists(file) ? file + " is not a file." : "there is no file " + file + ".");
        }
        try {
            InputStream bytes = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
            bytes.mark(2);
            int magic = bytes.read() << 8 | bytes.read();
            bytes.reset();
            if (magic == ZSTD_MAGIC) {
                bytes.close();
                throw new InputException(
                        file + " is packed with zstd, must be plain text or gzip.\nMaybe unpack it: zstd -d " + file);
            }
            boolean isPacked = magic == GZIP_MAGIC;
            InputStream text = isPacked ? new GZIPInputStream(bytes, 1 << 16) : bytes;
            return begun(
                    file,
                    new BufferedReader(
                            new BoundedText(
                                    new InputStreamReader(text, StandardCharsets.UTF_8),
                                    isPacked ? Files.size(file) : 0,
                                    isRows),
                            1 << 16));
        } catch (IOException e) {
            throw cannotRead(file, e);
        }
    }

    /** Past a byte order mark, which is no part of the text. */
    private static BufferedReader begun(Path file, BufferedReader text) throws IOException {
        char[] characters = new char[LOOKED_AT];
        text.mark(characters.length);
        String first = new String(characters, 0, Math.max(0, text.read(characters)));
        text.reset();
        if (first.startsWith(TAR_MAGIC, TAR_MAGIC_AT)) {
            text.close();
            throw new InputException(
                    file + " is an archive of files, must be one of them.\nMaybe unpack it: tar xf " + file);
        }
        if (first.indexOf('\0') >= 0) {
            text.close();
            throw new InputException(file + " is no text, must be text in UTF-8, plain or packed with gzip.");
        }
        if (first.indexOf(BYTE_ORDER_MARK) == 0) {
            text.skip(1);
        }
        return text;
    }

    static InputException cannotRead(Path file, IOException cause) {
        if (cause instanceof EOFException) {
            return new InputException(
                    file + " is cut off: it begins as gzip does and ends too early.\nMaybe copy it again.", cause);
        }
        return new InputException(file + " cannot be read: " + cause.getMessage() + ".", cause);
    }
}
