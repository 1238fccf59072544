// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ConnectionTest {
    private static final FrameCodec CODEC = new FrameCodec(1 << 20);

    /** Each read would be in time. */
    @Test
    void aFrameThatDripsIsNotWaitedForWithoutEnd() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket dripping = new Socket(server.getInetAddress(), server.getLocalPort());
                Connection connection = new Connection(server.accept(), CODEC)) {
            Thread drip = new Thread(() -> {
                try {
                    // A head of 16 MiB, byte by byte.
                    while (true) {
                        dripping.getOutputStream().write(1);
                        Thread.sleep(20);
                    }
                } catch (IOException | InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            drip.start();
            assertThrows(IOException.class, () -> connection.read(new FrameCodec(1 << 30, 1 << 30), 300));
            drip.join();
        }
    }

    @Test
    void aFrameThatIsInTimeIsReadAndTheConnectionGoesOn() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Connection there = new Connection(new Socket(server.getInetAddress(), server.getLocalPort()), CODEC);
                Connection here = new Connection(server.accept(), CODEC)) {
            there.send(Frame.of(new Message.Ready()));
            assertEquals(new Message.Ready(), here.read(CODEC, 30_000).message());
            there.send(Frame.of(new Message.Fetched()));
            assertEquals(new Message.Fetched(), here.read().message());
        }
    }
}
