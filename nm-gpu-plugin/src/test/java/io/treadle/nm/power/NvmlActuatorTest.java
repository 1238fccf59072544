// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeCaps;
import io.treadle.nm.FakeClock;
import io.treadle.nm.TestConf;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.device.DeviceProbe;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import io.treadle.nm.nvml.FakeNvml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Caps by NVML, over the fake library and all that the plugin puts before it. */
class NvmlActuatorTest {
    private static final Set<String> HELD = Set.of("GPU-aa");

    private final Path directory;
    private final FakeNvml nvml;
    private final FakeClock clock = new FakeClock();
    private final CapLease lease = new CapLease(clock);

    NvmlActuatorTest(@TempDir Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.nvml = FakeNvml.build(directory);
    }

    @BeforeEach
    void oneGoodDevice() throws IOException {
        say(0, FakeNvml.power("GPU-aa"));
    }

    private void say(int code, String power) throws IOException {
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, code), power);
    }

    @Test
    void readsLimitsClocksAndWhatHoldsThemDown() throws Exception {
        say(0, FakeNvml.power("GPU-aa", 0, true, 390_000));
        try (DeviceProvider provider = open(nvml)) {
            assertEquals(new PowerLimits(100_000, 400_000, 400_000, 400_000, 390_000), provider.limits("GPU-aa"));
            assertEquals(
                    new DeviceReading(false, 61.5, 400, 55, 424, 48, 123_456_789, 1095, List.of("power-cap"), 390),
                    provider.read(Set.of()).get("GPU-aa"));
        }
    }

    @Test
    void capsAndRestores() throws IOException {
        try (DeviceProvider provider = open(nvml)) {
            try (PowerCaps caps = caps(nvml, provider)) {
                assertEquals(List.of(400_000L), nvml.limitsSet("GPU-aa"), "the permission, asked for by what is set");
                assertEquals(new CapState(250, 250, "nvml", ""), cap(caps, 250));
            }
            assertEquals(List.of(400_000L, 250_000L, 400_000L), nvml.limitsSet("GPU-aa"));
        }
    }

    @Test
    void withoutPermissionItObserves() throws IOException {
        say(0, FakeNvml.power("GPU-aa", 4, true, -1));
        try (DeviceProvider provider = open(nvml);
                PowerCaps caps = caps(nvml, provider)) {
            CapState state = cap(caps, 250);
            assertEquals("observe", state.actuator());
            assertTrue(state.trouble().contains("NVML 4 (Insufficient Permissions)"), state.trouble());
            assertTrue(state.trouble().contains("no-helper.sock"), "the next ones were tried: " + state.trouble());
            assertEquals(List.of(), nvml.limitsSet("GPU-aa"));
        }
    }

    @Test
    void limitThatIsNotAppliedIsSeen() throws IOException {
        say(0, FakeNvml.power("GPU-aa", 0, false, -1));
        try (DeviceProvider provider = open(nvml);
                PowerCaps caps = caps(nvml, provider)) {
            cap(caps, 250);
            caps.follow(HELD, Set.of());
            CapState state = caps.states().getOrDefault("GPU-aa", new CapState(0, 0, "", ""));
            assertEquals("the limit is 400.0 W after 250.0 W was set without complaint", state.trouble());
            assertEquals(400, state.effectiveWatts());
        }
    }

    @Test
    void gpuThatIsLostWhileCappedIsRestoredWhenItComesBack() throws IOException {
        try (DeviceProvider provider = open(nvml);
                PowerCaps caps = caps(nvml, provider)) {
            cap(caps, 250);
            say(15, FakeNvml.power("GPU-aa"));
            caps.follow(HELD, Set.of("GPU-aa"));
            say(0, FakeNvml.power("GPU-aa"));
            caps.follow(Set.of(), Set.of());
            assertEquals(List.of(400_000L, 250_000L, 400_000L), nvml.limitsSet("GPU-aa"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2, OUT_OF_RANGE",
        "3, NOT_SUPPORTED",
        "4, NO_PERMISSION",
        "13, NOT_SUPPORTED",
        "15, LOST",
        "16, LOST",
        "999, FAILED"
    })
    void codesOfNvmlHaveTheirMeaning(int code, Reason reason) throws IOException {
        say(0, FakeNvml.power("GPU-aa", code, true, -1));
        try (DeviceProvider provider = open(nvml)) {
            PowerLimitException refused =
                    assertThrows(PowerLimitException.class, () -> provider.setLimit("GPU-aa", 250_000));
            assertEquals(reason, refused.reason(), refused.getMessage());
        }
    }

    @Test
    void limitOutOfRangeIsRefusedByTheDriver() throws IOException {
        try (DeviceProvider provider = open(nvml)) {
            PowerLimitException refused =
                    assertThrows(PowerLimitException.class, () -> provider.setLimit("GPU-aa", 50_000));
            assertEquals(Reason.OUT_OF_RANGE, refused.reason());
        }
    }

    @Test
    void driverWithoutTheFunctionsKnowsNoLimits() throws Exception {
        FakeNvml old = FakeNvml.build(Files.createDirectory(directory.resolve("old")), "-DWITHOUT_LIMITS");
        old.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 0));
        try (DeviceProvider provider = open(old)) {
            PowerLimitException refused = assertThrows(PowerLimitException.class, () -> provider.limits("GPU-aa"));
            assertEquals(Reason.NOT_SUPPORTED, refused.reason());
            assertTrue(String.valueOf(refused.getMessage()).contains("Function Not Found"), refused.getMessage());
            assertEquals(
                    new DeviceReading(false, 61.5, 400, 55, 424, 48, 123_456_789),
                    provider.read(Set.of()).get("GPU-aa"));
        }
    }

    @Test
    void otherProvidersDevicesAreNotSetByNvml() {
        DriverActuator actuator = new DriverActuator("simulated", open(nvml));
        PowerLimitException refused = assertThrows(
                PowerLimitException.class, () -> actuator.set(new GpuDevice("GPU-aa", 0, "A100", 40960, 400), 250_000));
        assertEquals("the devices come from nvml", refused.getMessage());
    }

    private CapState cap(PowerCaps caps, double watts) {
        lease.offer(new NodeCaps(1, 60_000, Map.of("GPU-aa", watts)));
        caps.follow(HELD, Set.of());
        return caps.states().getOrDefault("GPU-aa", new CapState(0, 0, "", "absent"));
    }

    private PowerCaps caps(FakeNvml library, DeviceProvider provider) {
        PowerCaps caps = PowerCaps.open(conf(library), provider, lease, clock);
        caps.start();
        return caps;
    }

    private DeviceProvider open(FakeNvml library) {
        return DeviceProbe.discover(conf(library), clock).provider();
    }

    private NodeConf conf(FakeNvml library) {
        return TestConf.of(
                "device-provider",
                "nvml",
                "nvml-library",
                library.library(),
                "nvidia-smi",
                directory.resolve("no-nvidia-smi").toString(),
                "control-dir",
                directory.resolve("control").toString(),
                PowerConf.LOCK_DIR,
                directory.resolve("locks").toString(),
                PowerConf.HELPER_SOCKET,
                directory.resolve("no-helper.sock").toString(),
                PowerConf.ZEUSD_SOCKET,
                directory.resolve("no-zeusd.sock").toString());
    }
}
