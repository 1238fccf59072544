// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A divided card before a whole one, in the words of the real tool. */
class NvidiaSmiMigTest {
    private static final double NOT_EXACT = 1e-6;

    private static final String ROWS =
            """
            0, GPU-aa, NVIDIA A100-SXM4-40GB, 40960, 512, 200.00, 400.00, [N/A], 33
            1, GPU-bb, NVIDIA A100-SXM4-40GB, 40960, 0, 60.00, 400.00, 5, 30
            """;

    private static final String LIST =
            """
            GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-aa)
              MIG 3g.20gb     Device  0: (UUID: MIG-c7384736-a75d-5afc-978f-d2f1294409fd)
              MIG 1g.5gb      Device  1: (UUID: MIG-a28ad590-3fda-56dd-84fc-0a0b96edc58d)
            GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-bb)
            """;

    private static final String XML =
            """
            <?xml version="1.0" ?>
            <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
            <nvidia_smi_log>
              <gpu id="00000000:01:00.0">
                <mig_mode><current_mig>Enabled</current_mig><pending_mig>Enabled</pending_mig></mig_mode>
                <mig_devices>
                  <mig_device><index>0</index>
                    <fb_memory_usage><total>15000 MiB</total><reserved>0 MiB</reserved><used>37 MiB</used></fb_memory_usage>
                  </mig_device>
                  <mig_device><index>1</index>
                    <fb_memory_usage><total>5000 MiB</total><used>12 MiB</used></fb_memory_usage>
                  </mig_device>
                </mig_devices>
                <uuid>GPU-aa</uuid>
              </gpu>
              <gpu id="00000000:02:00.0">
                <mig_mode><current_mig>Disabled</current_mig></mig_mode>
                <mig_devices>None</mig_devices>
                <uuid>GPU-bb</uuid>
              </gpu>
            </nvidia_smi_log>
            """;

    private static NvidiaSmiProvider open(String list, String xml) {
        return open(list, () -> xml);
    }

    private static NvidiaSmiProvider open(String list, Supplier<String> xml) {
        return NvidiaSmiProvider.open(
                "nvidia-smi",
                command -> new CommandRunner.Result(
                        0,
                        switch (command.get(1)) {
                            case "-L" -> list;
                            case "-q" -> xml.get();
                            default -> command.get(1).contains("mig.mode.current") ? withModes(xml.get()) : ROWS;
                        }));
    }

    /** The table with the mode of each card as the XML has it; where that says nothing, the table does not either. */
    private static String withModes(String xml) {
        return ROWS.lines()
                .map(row -> {
                    String uuid = row.split("\\s*,\\s*")[1];
                    int until = xml.indexOf("<uuid>" + uuid);
                    String tag = "<current_mig>";
                    int from = until < 0 ? -1 : xml.lastIndexOf(tag, until) + tag.length();
                    return row + ", " + (until < 0 ? "[Unknown Error]" : xml.substring(from, xml.indexOf('<', from)));
                })
                .collect(Collectors.joining("\n"));
    }

    private static boolean isLost(NvidiaSmiProvider provider, String uuid) {
        return provider.read(Set.of()).getOrDefault(uuid, DeviceReading.SILENT).lost();
    }

    @Test
    void cardThatIsDividedLaterIsLostUntilItIsWholeAgain() {
        AtomicReference<String> xml = new AtomicReference<>(XML);
        NvidiaSmiProvider provider = open(LIST, xml::get);
        assertFalse(isLost(provider, "GPU-bb"));
        xml.set(XML.replace("Disabled", "Enabled"));
        assertTrue(isLost(provider, "GPU-bb"));
        assertFalse(isLost(provider, "MIG-a28ad590-3fda-56dd-84fc-0a0b96edc58d"));
        xml.set(XML);
        assertFalse(isLost(provider, "GPU-bb"));
    }

    /** Where no card is divided at first. */
    @Test
    void cardsThatKnowMigAreLookedAtAndOthersAreNot() {
        String whole = XML.replace("Enabled", "Disabled");
        AtomicReference<String> xml = new AtomicReference<>(whole);
        NvidiaSmiProvider provider = open(LIST, xml::get);
        assertEquals(
                List.of("GPU-aa", "GPU-bb"),
                provider.devices().stream().map(GpuDevice::uuid).toList());
        xml.set(XML);
        assertTrue(isLost(provider, "GPU-aa"));
        assertFalse(isLost(provider, "GPU-bb"));
        xml.set("the tool fails");
        assertTrue(isLost(provider, "GPU-aa"), "nothing else is said of it");
        assertFalse(isLost(provider, "GPU-bb"));

        AtomicInteger runs = new AtomicInteger();
        NvidiaSmiProvider old = open(LIST, () -> {
            runs.incrementAndGet();
            return whole.replace("Disabled", "N/A");
        });
        assertFalse(isLost(old, "GPU-aa"));
        assertEquals(1, runs.get(), "at start alone");
    }

    @Test
    void instancesAreDevicesAndTheirCardIsNone() {
        NvidiaSmiProvider provider = open(LIST, XML);
        assertEquals(
                List.of(
                        new GpuDevice(
                                "MIG-c7384736-a75d-5afc-978f-d2f1294409fd",
                                0,
                                "NVIDIA A100-SXM4-40GB MIG 3g.20gb",
                                15_000,
                                300),
                        new GpuDevice(
                                "MIG-a28ad590-3fda-56dd-84fc-0a0b96edc58d",
                                1,
                                "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
                                5_000,
                                100),
                        new GpuDevice("GPU-bb", 2, "NVIDIA A100-SXM4-40GB", 40_960, 400)),
                provider.devices());
        assertTrue(provider.leftOut().get(0).startsWith("GPU 0 is no device of its own"), provider.leftOut()::toString);
    }

    @Test
    void drawIsSplitByMemoryAndUseIsTheInstancesOwn() {
        Map<String, DeviceReading> readings = open(LIST, XML).read(Set.of());
        DeviceReading large = readings.getOrDefault("MIG-c7384736-a75d-5afc-978f-d2f1294409fd", DeviceReading.LOST);
        assertEquals(150, large.watts(), NOT_EXACT);
        assertEquals(37, large.memoryUsedMiB());
        assertEquals(60, readings.getOrDefault("GPU-bb", DeviceReading.LOST).watts(), NOT_EXACT);
    }

    @Test
    void limitsBelongToTheCard() {
        NvidiaSmiProvider provider = open(LIST, XML);
        assertThrows(PowerLimitException.class, () -> provider.limits("MIG-c7384736-a75d-5afc-978f-d2f1294409fd"));
    }

    /** A card of which UUIDs are not told, as by drivers before 470, gives no device that nobody could name. */
    @Test
    void divisionThatIsNotToldGivesNoDevices() {
        String old = LIST.replaceAll("MIG-[0-9a-f-]+", "MIG-GPU-aa/1/0");
        assertEquals(
                List.of("GPU-bb"),
                open(old, XML).devices().stream().map(GpuDevice::uuid).toList());
    }

    @Test
    void toolWithoutXmlKnowsWholeCardsAlone() {
        for (String xml : List.of("", "Invalid combination of input arguments\n", "<?xml version=\"1.0\"?><broken")) {
            assertEquals(
                    List.of("GPU-aa", "GPU-bb"),
                    open(LIST, xml).devices().stream().map(GpuDevice::uuid).toList());
        }
    }
}
