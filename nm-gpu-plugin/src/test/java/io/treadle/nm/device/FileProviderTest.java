// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.nm.TestConf;
import io.treadle.nm.Thrown;
import io.treadle.nm.conf.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileProviderTest {
    private static final String ONE = "{\"uuid\":\"GPU-1\",\"model\":\"A100\",\"memoryMiB\":40960,\"watts\":400}";
    private static final String TWO = "{\"uuid\":\"GPU-2\",\"memoryMiB\":1024}";

    private final Path directory;

    FileProviderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void readsDevicesAndNotesWhichGo() throws IOException {
        FileProvider provider = open(ONE + "," + TWO);
        assertEquals(
                List.of(new GpuDevice("GPU-1", 0, "A100", 40960, 400), new GpuDevice("GPU-2", 1, "unknown", 1024, 0)),
                provider.devices());
        write(ONE + "," + TWO.replace("}", ",\"lost\":true}"));
        assertEquals(Map.of("GPU-1", false, "GPU-2", true), lost(provider));
        write(TWO);
        assertEquals(Map.of("GPU-1", true, "GPU-2", false), lost(provider));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"uuid\":\"a.b\",\"memoryMiB\":1}",
                "{\"uuid\":\"GPU-1\"}",
                "{\"uuid\":\"GPU-1\",\"memoryMiB\":1},{\"uuid\":\"GPU-1\",\"memoryMiB\":1}",
                "{",
            })
    void badEntryIsNamed(String devices) {
        String message = Thrown.message(DeviceProviderException.class, () -> open(devices));
        assertTrue(message.contains(directory.toString()), message);
    }

    @Test
    void newerSchemaMissingFileAndMissingSettingAreRefused() throws IOException {
        Path file = directory.resolve("devices.json");
        Files.writeString(file, "{\"schema\":2,\"devices\":[]}");
        var conf = TestConf.of("devices-file", file.toString());
        assertTrue(Thrown.message(DeviceProviderException.class, () -> FileProvider.open(conf))
                .contains("schema 2"));
        Files.delete(file);
        assertThrows(DeviceProviderException.class, () -> FileProvider.open(conf));
        assertThrows(SettingException.class, () -> FileProvider.open(TestConf.of()));
    }

    @Test
    void devicesOfAnyVendorNameTheirVariablesAndFiles() throws IOException {
        write("{\"uuid\":\"0\",\"memoryMiB\":1024,\"files\":[\"/dev/davinci0\",\"/dev/davinci_manager\"]}," + TWO);
        FileProvider provider = FileProvider.open(TestConf.of(
                "devices-file",
                directory.resolve("devices.json").toString(),
                "devices-variables",
                "ASCEND_RT_VISIBLE_DEVICES"));
        assertEquals(Map.of("ASCEND_RT_VISIBLE_DEVICES", "0"), provider.vendor().visible(List.of("0")));
        assertEquals(List.of("/dev/davinci0", "/dev/davinci_manager"), provider.deviceFiles("0"));
        assertEquals(List.of(), provider.deviceFiles("GPU-2"));
    }

    @Test
    void deviceFileOutsideDevIsRefused() {
        String message = Thrown.message(
                DeviceProviderException.class,
                () -> open("{\"uuid\":\"0\",\"memoryMiB\":1,\"files\":[\"/etc/shadow\"]}"));
        assertTrue(message.contains("\"/etc/shadow\", must be a path below /dev"), message);
    }

    private FileProvider open(String devices) throws IOException {
        write(devices);
        return FileProvider.open(
                TestConf.of("devices-file", directory.resolve("devices.json").toString()));
    }

    private void write(String devices) throws IOException {
        Files.writeString(directory.resolve("devices.json"), "{\"schema\":1,\"devices\":[" + devices + "]}");
    }

    private static Map<String, Boolean> lost(FileProvider provider) {
        Map<String, Boolean> lost = new java.util.HashMap<>();
        provider.read(Set.of()).forEach((uuid, reading) -> lost.put(uuid, reading.lost()));
        return lost;
    }
}
