// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A way to a ZooKeeper on which nothing arrives any more once it hangs: connections stay open and new ones are accepted, as
 * with a host whose disk or network is stuck.
 */
final class HangingZooKeeper implements AutoCloseable {
    private static final int BUFFER = 8192;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean hangs;

    /** @param port of the ZooKeeper behind it, on this machine */
    HangingZooKeeper(int port) throws IOException {
        this.port = port;
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    void hang() {
        hangs = true;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "hanging-zookeeper");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(behind);
                start(() -> forward(client, behind));
                start(() -> forward(behind, client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (hangs) {
                    // Taken, and never passed on.
                    continue;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // One side has gone.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
