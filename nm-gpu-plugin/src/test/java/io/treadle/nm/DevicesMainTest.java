// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.NodeRecord;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.nvml.FakeNvml;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevicesMainTest {
    private final Path site;
    private final Path lost;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    DevicesMainTest(@TempDir Path directory) throws IOException {
        this.site = directory.resolve("yarn-site.xml");
        this.lost = directory.resolve("lost");
        site("2xA100-SXM4-40GB:40960:400,1xT4:15360:70");
    }

    @Test
    void printsATable() throws IOException {
        String hash = json().devices().get(1).uuid().substring(8, 16);
        Files.writeString(lost, "GPU-sim-" + hash + "-1");
        out.reset();
        assertEquals(0, run("--provider", "simulated"));
        assertEquals(
                """
                3 simulated GPUs, 97280 MiB, on n1 (provider simulated)
                 index model             memory MiB        watts  util   temp state  uuid
                 0     A100-SXM4-40GB       0/40960       60/400   0 %  36 °C ok     GPU-sim-xxxxxxxx-0
                 1     A100-SXM4-40GB       –/40960            –     –      – LOST   GPU-sim-xxxxxxxx-1
                 2     T4                   0/15360        11/70   0 %  36 °C ok     GPU-sim-xxxxxxxx-2
                 a GPU that containers share: energy by utilisation
                """
                        .replace("xxxxxxxx", hash),
                text(out));
    }

    @Test
    void printsJsonAndNodeResources() {
        NodeRecord node = json();
        assertEquals("n1", node.node());
        assertEquals(3, node.devices().size());
        assertTrue(node.devices().get(0).simulated());
        out.reset();
        assertEquals(0, run("--node-resources", "--provider", "simulated"));
        assertTrue(text(out).contains("<name>yarn.nodemanager.resource-type.yarn.io/gpu</name>\n    <value>3</value>"));
    }

    @Test
    void cpuNodeIsNoFailureAndSaysWhy() {
        assertEquals(0, run());
        assertTrue(
                text(out).startsWith("no GPUs on n1: it is a CPU node\n nvml: no library /nowhere/libnvidia"),
                text(out));
        assertTrue(text(out).contains("\n nvidia-smi: cannot run /nowhere/nvidia-smi"), text(out));
    }

    @Test
    void namedProviderThatCannotBeUsedIsAFailure() throws IOException {
        assertEquals(1, run("--provider", "nvml"));
        assertTrue(
                text(err).startsWith("treadle: device provider nvml: no library /nowhere/libnvidia-ml.so.1"),
                text(err));
        err.reset();
        assertEquals(1, run("--provider", "nvidia-smi", "--json"));
        assertTrue(
                text(err).startsWith("treadle: device provider nvidia-smi: cannot run /nowhere/nvidia-smi"), text(err));
        err.reset();
        assertEquals(2, run("--provider", "file"));
        assertTrue(text(err).contains(NodeConf.DEVICES_FILE + " is ''"), text(err));
        assertEquals("", text(out), "nothing that a script could take for a result");
    }

    @Test
    void noneIsACpuNode() {
        assertEquals(0, run("--provider", "none"));
        assertTrue(text(out).startsWith("no GPUs on n1: it is a CPU node\n"), text(out));
        assertTrue(text(out).contains(NodeConf.DEVICE_PROVIDER + " is none"), text(out));
    }

    @Test
    void help() {
        assertEquals(0, run("--help"));
        assertTrue(text(out).startsWith("treadle devices"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--providr nvml",
                "--provider",
                "--provider cuda",
                "--conf /nowhere.xml",
                "--conf /tmp",
                "--json --node-resources"
            })
    void wrongArgumentIsNamed(String arguments) {
        assertEquals(2, run(arguments.split(" ")));
        assertTrue(text(err).startsWith("treadle: "), text(err));
        assertTrue(text(err).contains(arguments.split(" ")[0]), text(err));
    }

    @Test
    void configurationThatIsNoXmlIsNamed() throws IOException {
        Files.writeString(site, "<configuration><property");
        assertEquals(2, run());
        assertTrue(
                text(err).startsWith("treadle: --conf is '" + site + "', must be a configuration of Hadoop in XML: "));
    }

    @Test
    void gpuThatIsLeftOutIsTold(@TempDir Path directory) throws IOException, InterruptedException {
        FakeNvml nvml = FakeNvml.build(directory);
        nvml.say("init 0", FakeNvml.gpu("GPU-aa", 61_500, 15), FakeNvml.gpu("GPU-bb", 70_000, 0));
        site("1xT4:15360:70", nvml.library());
        assertEquals(0, run());
        assertEquals(
                """
                1 GPU, 40960 MiB, on n1 (provider nvml)
                 index model                    memory MiB        watts  util   temp state  uuid
                 1     NVIDIA-A100-SXM4-40GB     424/40960       70/400  55 %  48 °C ok     GPU-bb
                 nvml: GPU 0 is left out: 15 (GPU is lost).
                   Maybe reset it, then restart the NodeManager
                 a GPU that containers share: energy by memory, the provider does not tell processes' use
                """,
                text(out));
    }

    @Test
    void wrongSettingIsNamed() throws IOException {
        site("two");
        assertEquals(2, run("--provider", "simulated"));
        assertTrue(text(err).contains(NodeConf.SIMULATED_DEVICES + " is 'two'"), text(err));
    }

    private NodeRecord json() {
        assertEquals(0, run("--json", "--provider", "simulated"));
        return NodeRecord.fromJson("output", text(out).strip());
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        if (!all.contains("--conf")) {
            all.addAll(0, List.of("--conf", site.toString()));
        }
        return DevicesMain.run(
                all,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                new FakeClock());
    }

    private void site(String devices) throws IOException {
        site(devices, "/nowhere/libnvidia-ml.so.1");
    }

    private void site(String devices, String nvml) throws IOException {
        StringBuilder xml = new StringBuilder("<configuration>");
        List.of(
                        NodeConf.NODE_NAME,
                        "n1",
                        NodeConf.SIMULATED_DEVICES,
                        devices,
                        NodeConf.SIMULATED_LOST_FILE,
                        lost.toString(),
                        NodeConf.NVML_LIBRARY,
                        nvml,
                        NodeConf.NVIDIA_SMI,
                        "/nowhere/nvidia-smi")
                .forEach(word -> xml.append(
                        word.startsWith(NodeConf.PREFIX)
                                ? "<property><name>" + word + "</name>"
                                : "<value>" + word + "</value></property>"));
        Files.writeString(site, xml.append("</configuration>"));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
