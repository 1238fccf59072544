// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a secret from the file in which a NodeManager gives a container its credentials: Hadoop's token storage in the
 * format that its daemons write (version 0, {@code Credentials.write}). Hadoop's own reader would cost every runner its
 * class path.
 */
public final class CredentialsFile {
    private static final String MAGIC = "HDTS";
    private static final int VERSION = 0;
    /** Identifier, password, kind and service of a token. */
    private static final int TOKEN_FIELDS = 4;

    private static final int MAX_FIELD_BYTES = 1 << 20;

    private CredentialsFile() {}

    /** @throws IOException if the file is none, or has no such secret */
    public static String secret(Path file, String name) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            String magic = new String(in.readNBytes(MAGIC.length()), StandardCharsets.US_ASCII);
            int version = in.read();
            if (!magic.equals(MAGIC) || version != VERSION) {
                throw new IOException(file + " is no token storage of version " + VERSION + ": it begins with '" + magic
                        + "', version " + version);
            }
            for (long tokens = number(in); tokens > 0; tokens--) {
                field(in);
                for (int i = 0; i < TOKEN_FIELDS; i++) {
                    field(in);
                }
            }
            for (long secrets = number(in); secrets > 0; secrets--) {
                String alias = new String(field(in), StandardCharsets.UTF_8);
                byte[] value = field(in);
                if (alias.equals(name)) {
                    return new String(value, StandardCharsets.UTF_8);
                }
            }
        }
        throw new IOException(file + " lacks the secret '" + name
                + "'.\nMaybe this was started by hand: only Treadle's ApplicationMaster starts it.");
    }

    private static byte[] field(DataInputStream in) throws IOException {
        long length = number(in);
        if (length < 0 || length > MAX_FIELD_BYTES) {
            throw new IOException("a field of the token storage has " + length + " bytes");
        }
        byte[] bytes = new byte[(int) length];
        in.readFully(bytes);
        return bytes;
    }

    /** Hadoop's variable-length integer: small ones in one byte, else a byte that tells sign and length before the rest. */
    private static long number(DataInputStream in) throws IOException {
        byte first = in.readByte();
        if (first >= -112) {
            return first;
        }
        boolean negative = first < -120;
        int length = negative ? -120 - first : -112 - first;
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | in.readUnsignedByte();
        }
        return negative ? ~value : value;
    }
}
