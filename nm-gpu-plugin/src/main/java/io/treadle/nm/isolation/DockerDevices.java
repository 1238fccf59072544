// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.isolation;

import io.treadle.core.wire.DeviceVendor;
import io.treadle.nm.conf.DockerDevicesChoice;
import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.Grant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.runtime.docker.DockerRunCommand;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.resourceplugin.ResourcePluginManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives Docker containers their devices as Hadoop's own GPU plugin does: through the command that YARN's Docker runtime is
 * about to run. Hadoop asks its resource plugins for that, and takes only its own from the configuration; ours is added to
 * them while the NodeManager runs ({@code docs/adr/0035-devices-in-docker-containers.md}).
 */
public final class DockerDevices {
    private static final Logger LOG = LoggerFactory.getLogger(DockerDevices.class);

    /** The name under which NVIDIA's toolkit and Hadoop know NVIDIA's runtime. */
    private static final String NVIDIA_RUNTIME = "nvidia";
    /** NVIDIA's word for no devices at all. */
    private static final String NO_DEVICES = "void";

    private final DockerDevicesChoice choice;
    private final Context context;
    private final DeviceProvider provider;

    private DockerDevices(DockerDevicesChoice choice, Context context, DeviceProvider provider) {
        this.choice = choice;
        this.context = context;
        this.provider = provider;
    }

    public static DockerDevices of(DockerDevicesChoice setting, Context context, DeviceProvider provider) {
        return new DockerDevices(resolve(setting, provider), context, provider);
    }

    private static DockerDevicesChoice resolve(DockerDevicesChoice setting, DeviceProvider provider) {
        if (provider.devices().isEmpty()) {
            return DockerDevicesChoice.NONE;
        }
        if (setting != DockerDevicesChoice.AUTO) {
            return setting;
        }
        if (provider.simulated()) {
            return DockerDevicesChoice.NONE;
        }
        return provider.vendor().equals(DeviceVendor.NVIDIA)
                ? DockerDevicesChoice.NVIDIA_RUNTIME
                : DockerDevicesChoice.DEVICE_FILES;
    }

    /**
     * Makes sure that the NodeManager asks for devices before it runs a container: to be called before each launch, as
     * the NodeManager makes its list of plugins after ours is created.
     *
     * @param grants of a container, by its id
     */
    public synchronized void attach(Function<String, List<Grant>> grants) {
        ResourcePluginManager now = context.getResourcePluginManager();
        if (choice == DockerDevicesChoice.NONE || now instanceof ExtendedPlugins) {
            return;
        }
        if (!(context instanceof NodeManager.NMContext changeable)) {
            LOG.error("this NodeManager's context is a {}: Docker containers get no devices", context.getClass());
            return;
        }
        changeable.setResourcePluginManager(
                new ExtendedPlugins(now, new DockerCommandChanger((id, command) -> addTo(command, grants.apply(id)))));
        LOG.info("Docker containers get their devices by {}", choice);
    }

    /** A lost device is not named, as in the environment. */
    void addTo(DockerRunCommand command, List<Grant> grants) {
        List<String> uuids = grants.stream()
                .filter(grant -> grant.state() != Grant.State.LOST)
                .map(Grant::uuid)
                .toList();
        if (choice == DockerDevicesChoice.NVIDIA_RUNTIME) {
            if (!uuids.isEmpty()) {
                command.addRuntime(NVIDIA_RUNTIME);
            }
            // Also without devices: NVIDIA's runtime may be the daemon's default, and images say "all" of themselves.
            command.addEnv(Map.of(
                    DeviceVendor.NVIDIA_CONTAINER_DEVICES, uuids.isEmpty() ? NO_DEVICES : String.join(",", uuids)));
            return;
        }
        Set<String> files = uuids.stream()
                .flatMap(uuid -> provider.deviceFiles(uuid).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        files.forEach(file -> command.addDevice(file, file));
        if (files.isEmpty() && !uuids.isEmpty()) {
            LOG.warn(
                    "the device files of {} are not known: the container gets none.\nMaybe name them in the devices file"
                            + " (docs/reference/node-settings.md)",
                    uuids);
        }
    }
}
