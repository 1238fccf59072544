// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.NoDevices;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a socket that answers what the test says. */
class ZeusdActuatorTest {
    private static final GpuDevice GPU = new GpuDevice("GPU-cc", 2, "A100", 40960, 400);

    private final Path socket;

    ZeusdActuatorTest(@TempDir Path directory) {
        this.socket = directory.resolve("zeusd.sock");
    }

    @Test
    void setsByTheIndexAndInTheQuery() throws Exception {
        try (Daemon daemon = new Daemon(socket, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                ZeusdActuator actuator = actuator(30_000)) {
            actuator.set(GPU, 250_000);
            assertEquals(
                    "POST /gpu/set_power_limit?gpu_ids=2&power_limit_mw=250000&block=true HTTP/1.1",
                    daemon.request().lines().findFirst().orElse(""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "403 Forbidden, NO_PERMISSION",
        "400 Bad Request, OUT_OF_RANGE",
        "404 Not Found, NOT_SUPPORTED",
        "500 Internal Server Error, FAILED",
        "2x0 Odd, FAILED"
    })
    void refusalIsUnderstood(String status, Reason reason) throws Exception {
        try (Daemon daemon = new Daemon(socket, "HTTP/1.1 " + status + "\r\n\r\nNVML error: it is so\n");
                ZeusdActuator actuator = actuator(30_000)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.set(GPU, 250_000));
            assertEquals(reason, refused.reason());
            assertTrue(String.valueOf(refused.getMessage()).contains("NVML error: it is so"), refused.getMessage());
            assertTrue(!daemon.request().isEmpty());
        }
    }

    @Test
    void daemonThatIsNotThereIsNamed() {
        try (ZeusdActuator actuator = actuator(30_000)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.set(GPU, 250_000));
            assertTrue(String.valueOf(refused.getMessage()).contains(socket.toString()), refused.getMessage());
        }
    }

    @Test
    void daemonThatHangsIsGivenUp() throws Exception {
        try (Daemon daemon = new Daemon(socket, "");
                ZeusdActuator actuator = actuator(3000)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> actuator.set(GPU, 250_000));
            assertTrue(String.valueOf(refused.getMessage()).contains("no answer within 3000 ms"), refused.getMessage());
            assertTrue(!daemon.request().isEmpty());
        }
    }

    @Test
    void daemonThatAcceptsNobodyIsGivenUp() throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                ZeusdActuator actuator = actuator(100)) {
            server.bind(UnixDomainSocketAddress.of(socket), 1);
            // As long as some may wait to be accepted, it is the answer that does not come.
            String said = "";
            for (int i = 0; i < 20 && !said.contains("accepted nobody within 100 ms"); i++) {
                said = String.valueOf(assertThrows(PowerLimitException.class, () -> actuator.set(GPU, 250_000))
                        .getMessage());
            }
            assertTrue(said.contains("accepted nobody within 100 ms"), said);
        }
    }

    private ZeusdActuator actuator(long timeoutMs) {
        return new ZeusdActuator(socket, timeoutMs, new NoDevices());
    }

    /** Answers every request in the same way; does not answer at all where the answer is empty. */
    private static final class Daemon implements AutoCloseable {
        private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
        private final String answer;
        private final Thread thread = new Thread(this::serve);

        Daemon(Path socket, String answer) throws IOException {
            this.answer = answer;
            server.bind(UnixDomainSocketAddress.of(socket));
            thread.setDaemon(true);
            thread.start();
        }

        String request() throws InterruptedException {
            String request = requests.poll(60, TimeUnit.SECONDS);
            return request == null ? "" : request;
        }

        private void serve() {
            try {
                while (true) {
                    SocketChannel client = server.accept();
                    ByteBuffer bytes = ByteBuffer.allocate(4096);
                    StringBuilder request = new StringBuilder();
                    while (request.indexOf("\r\n\r\n") < 0 && client.read(bytes.clear()) >= 0) {
                        request.append(StandardCharsets.US_ASCII.decode(bytes.flip()));
                    }
                    requests.add(request.toString());
                    if (!answer.isEmpty()) {
                        client.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
                        client.close();
                    }
                }
            } catch (ClosedChannelException e) {
                // The end of the test.
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            server.close();
            thread.join();
        }
    }
}
