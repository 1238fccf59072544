// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code nvidia-smi pmon -s u} prints: a line of column names that begins with "#", one of units, and a row for each
 * process. Later versions have further columns, so they are found by their names.
 */
final class NvidiaSmiProcesses {
    private static final double MOST_PERCENT = 100;

    private NvidiaSmiProcesses() {}

    /**
     * @param asked the devices that it was asked for
     * @return by UUID; a device without a row, which is one that cannot tell, is left out
     */
    static Map<String, List<ProcessUse>> parse(String output, List<GpuDevice> asked) {
        Map<Integer, String> uuids = new HashMap<>();
        asked.forEach(device -> uuids.put(device.index(), device.uuid()));
        Map<String, List<ProcessUse>> found = new HashMap<>();
        List<String> names = List.of();
        for (String line : output.split("\n")) {
            List<String> words = List.of(line.replace("#", "# ").trim().split("\\s+"));
            if (words.get(0).equals("#")) {
                if (words.contains("pid") && words.contains("sm")) {
                    names = words.subList(1, words.size());
                }
                continue;
            }
            String uuid = uuids.get((int) number(words, names.indexOf("gpu")));
            if (uuid != null) {
                List<ProcessUse> uses = found.computeIfAbsent(uuid, u -> new ArrayList<>());
                double pid = number(words, names.indexOf("pid"));
                double percent = number(words, names.indexOf("sm"));
                if (pid > 0 && percent > 0 && percent <= MOST_PERCENT) {
                    uses.add(ProcessUse.ofProcess((long) pid, ProcessUse.JUST_NOW, percent));
                }
            }
        }
        return found;
    }

    /** Below 0 where there is no number. */
    private static double number(List<String> words, int column) {
        try {
            return column >= 0 && column < words.size() ? Double.parseDouble(words.get(column)) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
