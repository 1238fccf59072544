// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import com.google.common.hash.Hashing;
import io.treadle.nm.conf.NodeConf;
import io.treadle.nm.conf.SettingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the setting that describes simulated devices: {@code 4xA100-SXM4-40GB:40960:400,2xT4:15360:70}. */
final class SimulatedDevices {
    private static final Pattern GROUP = Pattern.compile("(\\d{1,3})x([A-Za-z0-9][^:,]*):(\\d{1,9}):(\\d{1,6})");
    private static final int MOST = 1024;

    private SimulatedDevices() {}

    /**
     * UUIDs come from the node's name and the index alone, so that they stay over restarts.
     *
     * @throws SettingException if the text has another form
     */
    static List<GpuDevice> parse(String text, String nodeName) {
        List<GpuDevice> devices = new ArrayList<>();
        for (String group : text.split(",", -1)) {
            Matcher matcher = GROUP.matcher(group.trim());
            if (!matcher.matches()
                    || Long.parseLong(matcher.group(3)) == 0
                    || Integer.parseInt(matcher.group(1)) + devices.size() > MOST) {
                throw new SettingException(
                        NodeConf.SIMULATED_DEVICES,
                        text,
                        "<count>x<model>:<MiB>:<watts>, more of them after commas, at most " + MOST + " in all",
                        "4xA100-SXM4-40GB:40960:400,2xT4:15360:70");
            }
            int count = Integer.parseInt(matcher.group(1));
            for (int i = 0; i < count; i++) {
                devices.add(new GpuDevice(
                        uuid(nodeName, devices.size()),
                        devices.size(),
                        matcher.group(2).trim(),
                        Long.parseLong(matcher.group(3)),
                        Long.parseLong(matcher.group(4))));
            }
        }
        return List.copyOf(devices);
    }

    private static String uuid(String nodeName, int index) {
        String hash = Hashing.sha256()
                .hashString(nodeName, StandardCharsets.UTF_8)
                .toString()
                .substring(0, 8);
        return "GPU-sim-" + hash + "-" + index;
    }
}
