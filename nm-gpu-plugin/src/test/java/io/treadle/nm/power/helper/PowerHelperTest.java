// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power.helper;

import static io.treadle.nm.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeCaps;
import io.treadle.nm.FakeClock;
import io.treadle.nm.TestConf;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.nvml.FakeNvml;
import io.treadle.nm.power.CapLease;
import io.treadle.nm.power.CapState;
import io.treadle.nm.power.PowerCaps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon as a process of its own, over the fake NVML library, whose limits outlive it. */
class PowerHelperTest {
    private final Path socket;
    private final Path state;
    private final FakeNvml nvml;
    private final Process helper;

    PowerHelperTest(@TempDir Path directory) throws IOException, InterruptedException {
        this.socket = directory.resolve("helper.sock");
        this.state = directory.resolve("journal.json");
        this.nvml = FakeNvml.build(directory);
        say(0);
        this.helper = start();
    }

    @AfterEach
    void end() {
        helper.destroyForcibly();
    }

    /** @param setCode what setting a limit answers */
    private void say(int setCode) throws IOException {
        nvml.say(
                "init 0",
                "gpu GPU-aa A100 40960 1024 61500 350000 55 48 123 0", // Limited to 350 W by the admin.
                FakeNvml.gpu("GPU-bb", 70_000, 0),
                FakeNvml.power("GPU-aa", setCode, true, -1),
                FakeNvml.power("GPU-bb"));
    }

    private Process start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PowerHelperMain.class.getName(),
                        "--socket",
                        socket.toString(),
                        "--state",
                        state.toString(),
                        "--nvml-library",
                        nvml.library())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        eventually("the helper", () -> {
            try (Client client = new Client(socket)) {
                return client.ask("LIMITS GPU-bb").startsWith("OK");
            }
        });
        return process;
    }

    @Test
    void setsWithinWhatTheDeviceTakesAndWhatWasSetWhenItStarted() throws IOException {
        try (Client client = new Client(socket)) {
            assertEquals("OK 100000 350000 400000 350000 350000", client.ask("LIMITS GPU-aa"));
            assertEquals("OK 100000 350000 400000 250000 250000", client.ask("SET GPU-aa 250000"));
            assertEquals("OK 100000 350000 400000 100000 100000", client.ask("SET GPU-aa 1"));
            assertEquals("OK 100000 350000 400000 350000 350000", client.ask("SET GPU-aa 400000"));
            assertEquals("OK 100000 350000 400000 350000 350000", client.ask("RESTORE GPU-aa"));
        }
        assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HELP",
                "SET GPU-aa",
                "SET GPU-aa -5",
                "SET GPU-aa 250000 now",
                "SET GPU-aa 99999999999",
                "set GPU-aa 250000",
                "LIMITS ../../etc/passwd",
                "LIMITS GPU-aa; SET GPU-aa 1",
                "GET / HTTP/1.1",
            })
    void anythingElseIsRefused(String line) throws IOException {
        try (Client client = new Client(socket)) {
            assertEquals(
                    "ERR FAILED only LIMITS <uuid>, SET <uuid> <milliwatts> and RESTORE <uuid> are known here",
                    client.ask(line));
            assertEquals(List.of(), nvml.limitsSet("GPU-aa"));
            assertTrue(client.ask("LIMITS GPU-bb").startsWith("OK"), "and it goes on");
        }
    }

    @Test
    void lineWithoutAnEndIsCutOff() throws IOException {
        try (Client client = new Client(socket)) {
            assertEquals("", client.ask("x".repeat(100_000)));
        }
    }

    @Test
    void refusalsOfTheDriverReachTheClient() throws IOException {
        say(4);
        try (Client client = new Client(socket)) {
            assertEquals(
                    "ERR NO_PERMISSION setting the limit: NVML 4 (Insufficient Permissions)",
                    client.ask("SET GPU-aa 250000"));
            assertEquals("ERR LOST NVML finds no GPU GPU-zz", client.ask("LIMITS GPU-zz"));
        }
    }

    @Test
    void limitsComeBackWhenTheClientHangsUp() throws IOException {
        try (Client client = new Client(socket);
                Client other = new Client(socket)) {
            client.ask("SET GPU-aa 250000");
            assertEquals("ERR FAILED another client sets the limit of GPU-aa", other.ask("SET GPU-aa 300000"));
            assertEquals("ERR FAILED another client sets the limit of GPU-aa", other.ask("RESTORE GPU-aa"));
            other.ask("SET GPU-bb 200000");
        }
        eventually(
                "both limits",
                () -> nvml.limitsSet("GPU-aa").equals(List.of(250_000L, 350_000L))
                        && nvml.limitsSet("GPU-bb").equals(List.of(200_000L, 400_000L)));
        eventually("no journal", () -> !Files.exists(state));
    }

    @Test
    void orderlyEndRestores() throws IOException {
        try (Client client = new Client(socket)) {
            client.ask("SET GPU-aa 250000");
            helper.destroy();
            eventually("the own limit", () -> nvml.limitsSet("GPU-aa").equals(List.of(250_000L, 350_000L)));
        }
    }

    @Test
    void killedHelperRestoresAtItsNextStartAndKnowsTheOwnLimitStill() throws Exception {
        try (Client client = new Client(socket)) {
            client.ask("SET GPU-aa 250000");
            helper.destroyForcibly().waitFor();
        }
        assertEquals(List.of(250_000L), nvml.limitsSet("GPU-aa"));
        Process next = start();
        try (Client client = new Client(socket)) {
            assertEquals("OK 100000 350000 400000 350000 350000", client.ask("LIMITS GPU-aa"));
        } finally {
            next.destroyForcibly();
        }
    }

    @Test
    void nodeManagerCapsThroughIt(@TempDir Path directory) {
        FakeClock clock = new FakeClock();
        CapLease lease = new CapLease(clock);
        NodeConf conf = TestConf.of(
                "device-provider",
                "nvml",
                "nvml-library",
                nvml.library(),
                "control-dir",
                directory.resolve("control").toString(),
                PowerConf.ACTUATOR,
                "helper",
                PowerConf.LOCK_DIR,
                directory.resolve("locks").toString(),
                PowerConf.HELPER_SOCKET,
                socket.toString());
        try (DeviceProvider provider = DeviceProbe.discover(conf, clock).provider()) {
            try (PowerCaps caps = PowerCaps.open(conf, provider, lease, clock)) {
                caps.start();
                lease.offer(new NodeCaps(1, 60_000, Map.of("GPU-aa", 250.0, "GPU-bb", 380.0)));
                caps.follow(Set.of("GPU-aa", "GPU-bb"), Set.of());
                assertEquals(
                        Map.of(
                                "GPU-aa", new CapState(250, 250, "helper", ""),
                                "GPU-bb", new CapState(380, 380, "helper", "")),
                        caps.states());
                caps.follow(Set.of("GPU-aa"), Set.of());
                assertEquals(new CapState(0, 400, "helper", ""), caps.states().get("GPU-bb"));
            }
        }
        eventually("the own limit", () -> last(nvml.limitsSet("GPU-aa")) == 350_000);
    }

    private static long last(List<Long> limits) {
        return limits.get(limits.size() - 1);
    }

    @Test
    void wrongArgumentAndAbsentDriverAreNamed() {
        assertEquals("treadle: unknown argument '--port'.\nMaybe --help\n", fails(2, "--port", "1"));
        assertEquals("treadle: --socket needs a value.\nMaybe --help\n", fails(2, "--socket"));
        assertTrue(fails(1, "--nvml-library", "/nowhere/libnvidia-ml.so.1").contains("no library /nowhere"));
    }

    private static String fails(int status, String... arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertEquals(status, PowerHelperMain.run(List.of(arguments), stream, stream));
        return err.toString(StandardCharsets.UTF_8);
    }

    private static final class Client implements AutoCloseable {
        private final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);

        Client(Path socket) throws IOException {
            channel.connect(UnixDomainSocketAddress.of(socket));
        }

        /** @return the answer without its end; empty where the helper hangs up */
        String ask(String line) throws IOException {
            StringBuilder answer = new StringBuilder();
            try {
                ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                ByteBuffer read = ByteBuffer.allocate(512);
                while (answer.indexOf("\n") < 0 && channel.read(read.clear()) >= 0) {
                    answer.append(StandardCharsets.US_ASCII.decode(read.flip()));
                }
            } catch (IOException e) {
                return "";
            }
            return answer.toString().strip();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
