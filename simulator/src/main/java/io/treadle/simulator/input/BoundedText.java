// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/**
 * A text whose lines are of bounded length, and which is of bounded length itself where it was packed: who reads line by line holds
 * one in memory, and a file of three megabytes may unpack to three gigabytes in one line.
 */
final class BoundedText extends FilterReader {
    static final int MOST_IN_A_LINE = 16 << 20;
    /** Tables of jobs are packed to a tenth; gzip can come to a thousandth. */
    static final int MOST_UNPACKED = 250;
    /** Small files may be as regular as they like. */
    static final long ALWAYS = 64L << 20;

    private final long most;
    private final boolean isRows;
    private long taken;
    private long lines = 1;
    private long inLine;

    /**
     * @param packedBytes size of the packed file; 0 for one that is not packed
     * @param isRows whether it is read line by line
     */
    BoundedText(Reader text, long packedBytes, boolean isRows) {
        super(text);
        this.isRows = isRows;
        most = packedBytes == 0 ? Long.MAX_VALUE : Math.max(ALWAYS, packedBytes * MOST_UNPACKED);
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        for (int i = offset; isRows && i < offset + count; i++) {
            if (buffer[i] == '\n' || buffer[i] == '\r') {
                lines += buffer[i] == '\n' ? 1 : 0;
                inLine = 0;
            } else if (++inLine > MOST_IN_A_LINE) {
                throw new IOException("line " + lines + " has more than " + MOST_IN_A_LINE
                        + " characters, which no row of a table has");
            }
        }
        taken += Math.max(0, count);
        if (taken > most) {
            throw new IOException("it unpacks to more than " + most + " characters, over " + MOST_UNPACKED
                    + " times its size, as a file that is made to fill a machine does");
        }
        return count;
    }
}
