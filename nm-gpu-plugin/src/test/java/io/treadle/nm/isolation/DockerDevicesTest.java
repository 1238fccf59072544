// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.DeviceVendor;
import io.treadle.nm.conf.DockerDevicesChoice;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceReading;
import io.treadle.nm.device.GpuDevice;
import io.treadle.nm.device.Grant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.docker.DockerRunCommand;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.ResourcePlugin;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.ResourcePluginManager;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.junit.jupiter.api.Test;

/** By Hadoop's own command and its own list of plugins. */
class DockerDevicesTest {
    private static final Grant FIRST = new Grant("GPU-a", 100, true, Grant.State.READY);
    private static final Grant SECOND = new Grant("GPU-b", 100, true, Grant.State.PENDING);
    private static final Grant LOST = new Grant("GPU-c", 100, true, Grant.State.LOST);

    private final NodeManager.NMContext context = new NodeManager.NMContext(
            null, null, null, null, new NMNullStateStoreService(), false, new Configuration(false));
    private final DockerRunCommand command = new DockerRunCommand("c1", "user", "image");

    /** A node with one device of each uuid, which has the file {@code /dev/<uuid>} beside one of all. */
    private record Devices(DeviceVendor vendor, boolean simulated) implements DeviceProvider {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public List<GpuDevice> devices() {
            return List.of(new GpuDevice("GPU-a", 0, "M", 100, 0), new GpuDevice("GPU-b", 1, "M", 100, 0));
        }

        @Override
        public Map<String, DeviceReading> read(Set<String> held) {
            return Map.of();
        }

        @Override
        public List<String> deviceFiles(String uuid) {
            return List.of("/dev/all", "/dev/" + uuid);
        }
    }

    private DockerDevices devices(DockerDevicesChoice choice, DeviceVendor vendor, boolean simulated) {
        return DockerDevices.of(choice, context, new Devices(vendor, simulated));
    }

    private List<String> said(String key) {
        return command.getDockerCommandWithArguments().getOrDefault(key, List.of());
    }

    @Test
    void nvidiasGpusComeByItsRuntimeAsInHadoopsOwnPlugin() {
        devices(DockerDevicesChoice.AUTO, DeviceVendor.NVIDIA, false).addTo(command, List.of(FIRST, SECOND, LOST));
        assertEquals(List.of("nvidia"), said("runtime"));
        assertEquals(Map.of("NVIDIA_VISIBLE_DEVICES", "GPU-a,GPU-b"), command.getEnv());
    }

    @Test
    void containerWithoutGpusGetsNoneFromARuntimeThatIsTheDaemonsDefault() {
        devices(DockerDevicesChoice.AUTO, DeviceVendor.NVIDIA, false).addTo(command, List.of());
        assertEquals(List.of(), said("runtime"));
        assertEquals(Map.of("NVIDIA_VISIBLE_DEVICES", "void"), command.getEnv());
    }

    @Test
    void othersGpusComeByTheirFilesEachOnce() {
        devices(DockerDevicesChoice.AUTO, DeviceVendor.AMD, false).addTo(command, List.of(FIRST, SECOND, LOST));
        assertEquals(List.of("/dev/all:/dev/all,/dev/GPU-a:/dev/GPU-a,/dev/GPU-b:/dev/GPU-b"), joined("devices"));
        assertEquals(Map.of(), command.getEnv());
    }

    private List<String> joined(String key) {
        return List.of(String.join(",", said(key)));
    }

    @Test
    void pluginIsAddedToHadoopsBeforeTheFirstLaunchAndOnce() {
        ResourcePluginManager hadoops = new ResourcePluginManager();
        context.setResourcePluginManager(hadoops);
        DockerDevices devices = devices(DockerDevicesChoice.NVIDIA_RUNTIME, DeviceVendor.NVIDIA, true);
        devices.attach(id -> List.of(FIRST));
        ResourcePluginManager extended = context.getResourcePluginManager();
        Map<String, ResourcePlugin> plugins = extended.getNameToPlugins();
        assertEquals(Set.of("treadle.io/docker-devices"), plugins.keySet());
        assertTrue(plugins.values().stream().allMatch(p -> p.getDockerCommandPluginInstance() != null));
        assertNull(extended.getDeviceMappingManager());
        devices.attach(id -> List.of(FIRST));
        assertSame(extended, context.getResourcePluginManager());
    }

    @Test
    void simulatedDevicesNeedNothing() {
        devices(DockerDevicesChoice.AUTO, DeviceVendor.NVIDIA, true).attach(id -> List.of(FIRST));
        assertNull(context.getResourcePluginManager());
    }
}
