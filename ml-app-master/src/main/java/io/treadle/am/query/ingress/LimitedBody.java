// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.ingress;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body of which no more than so many bytes are read, whatever its length is said to be. */
final class LimitedBody extends FilterInputStream {
    /** There is more than may be read. */
    static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;
    }

    private long left;

    LimitedBody(InputStream in, long most) {
        super(in);
        left = most;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        if (read >= 0) {
            count(1);
        }
        return read;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int read = in.read(to, offset, length);
        if (read > 0) {
            count(read);
        }
        return read;
    }

    private void count(int read) throws IOException {
        left -= read;
        if (left < 0) {
            throw new TooLargeException();
        }
    }
}
