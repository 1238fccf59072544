// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Whole numbers in seven bits a byte, the low ones first, the high bit set where more follow: small ones are short. */
final class Column {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** @param value not below 0 */
    void add(long value) {
        long rest = value;
        while (rest > 127) {
            bytes.write((int) ((rest & 127) | 128));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    /** 0, −1, 1, −2, … as 0, 1, 2, 3, …: numbers near 0 stay short. */
    void addSigned(long value) {
        add((value << 1) ^ (value >> 63));
    }

    void addBytes(byte[] text, int from) {
        bytes.write(text, from, text.length - from);
    }

    /**
     * All columns as text: their number, their lengths in bytes, then their bytes; deflated (RFC 1950), as base64. What
     * the page's {@code data.js} reads.
     */
    static String pack(List<Column> columns) {
        Column head = new Column();
        head.add(columns.size());
        columns.forEach(column -> head.add(column.bytes.size()));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
            head.bytes.writeTo(out);
            for (Column column : columns) {
                column.bytes.writeTo(out);
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException("memory takes all bytes", e);
        } finally {
            deflater.end();
        }
        return Base64.getEncoder().encodeToString(packed.toByteArray());
    }
}
