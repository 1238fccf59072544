// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

/**
 * {@code energy.json}: what one container's GPUs have spent and how they are capped, in the directory that {@code
 * TREADLE_CONTROL_DIR} names (spec: {@code docs/spec/energy-json.md}).
 *
 * @param atMs wall-clock time of the reading on the container's node, ms since the epoch
 * @param millijoules energy of the container's GPUs since it holds them, mJ; of a shared GPU the container's part
 * @param gpus how many it holds
 * @param effectiveCapWatts limit in force on each of them, as read back, of several the lowest, W; 0 where unknown
 * @param leastCapWatts the least that each can be limited to, of several the highest, W; 0 where unknown
 * @param defaultCapWatts limit of each without a cap: the admin's own, of several the lowest, W; 0 where unknown
 */
public record EnergyFile(
        long atMs, long millijoules, int gpus, double effectiveCapWatts, double leastCapWatts, double defaultCapWatts) {
    public static final String NAME = "energy.json";

    private static final int SCHEMA = 1;
    private static final double MOST_WATTS = 1e6;

    /** Whether it says the same but for the time. */
    public boolean saysWhat(EnergyFile other) {
        return equals(other.at(atMs));
    }

    private EnergyFile at(long newAtMs) {
        return new EnergyFile(newAtMs, millijoules, gpus, effectiveCapWatts, leastCapWatts, defaultCapWatts);
    }

    public String toJson() {
        return Fields.MAPPER
                .createObjectNode()
                .put("schema", SCHEMA)
                .put("atMs", atMs)
                .put("millijoules", millijoules)
                .put("gpus", gpus)
                .put("effectiveCapWatts", effectiveCapWatts)
                .put("leastCapWatts", leastCapWatts)
                .put("defaultCapWatts", defaultCapWatts)
                .toString();
    }

    /** @throws WireFormatException if the text is no such record, or one of its figures cannot be */
    public static EnergyFile fromJson(String text) {
        Fields json = Fields.parse(NAME, text).checkSchema(SCHEMA);
        return new EnergyFile(
                json.integer("atMs", 0, Long.MAX_VALUE),
                json.integer("millijoules", 0, Long.MAX_VALUE),
                (int) json.integer("gpus", 1, 1024),
                json.number("effectiveCapWatts", 0, MOST_WATTS, 0),
                json.number("leastCapWatts", 0, MOST_WATTS, 0),
                json.number("defaultCapWatts", 0, MOST_WATTS, 0));
    }
}
