// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.wire.Message.Answered;
import io.treadle.am.query.wire.Message.Open;
import io.treadle.am.query.wire.Message.Peers;
import java.io.IOException;
import java.util.Optional;

/** What makes a worker an ingress, with a desk of its own over all workers. */
public interface PeerHost extends AutoCloseable {
    /** Of workers that are none. */
    PeerHost NONE = new PeerHost() {
        @Override
        public int open(Open wanted) throws IOException {
            throw new IOException("this worker cannot be an ingress");
        }

        @Override
        public void peers(Peers now) {
            // Nobody here would use them.
        }

        @Override
        public int active() {
            return 0;
        }

        @Override
        public Optional<Answered> answered() {
            return Optional.empty();
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };

    /**
     * The same again changes nothing.
     *
     * @return the port at which queries are answered
     * @throws IOException if it cannot be one
     */
    int open(Open wanted) throws IOException;

    void peers(Peers now);

    /** How many queries it has to answer. */
    int active();

    /** What it has to do and has done; empty while it is none. */
    Optional<Answered> answered();

    @Override
    void close();
}
