// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One card in the output of {@code rocm-smi}. Fields that it does not tell, or says {@code N/A} of, are 0.
 *
 * @param index its number in {@code card0}, {@code card1}, …
 * @param uuid what ROCm's runtime calls it; the index of a board that has no unique id
 * @param bus its PCI address; empty where it is not told
 */
record RocmSmiCard(
        int index, String uuid, String model, String bus, long memoryMiB, double limitWatts, JsonNode fields) {
    private static final Pattern KEY = Pattern.compile("card:?([0-9]{1,4})");
    private static final Pattern UNIQUE_ID = Pattern.compile("0x([0-9a-fA-F]{1,16})");
    private static final double BYTES_PER_MIB = 1L << 20;

    private static final List<String> MODEL = List.of("Card Series", "Card series", "Device Name", "Card Model");
    private static final List<String> POWER = List.of(
            "Current Socket Graphics Package Power (W)",
            "Average Graphics Package Power (W)",
            "Average Package Power (W)");
    private static final List<String> TEMPERATURE = List.of(
            "Temperature (Sensor junction) (C)", "Temperature (Sensor edge) (C)", "Temperature (Sensor memory) (C)");

    /** Empty for what is no card, such as the object {@code system}. */
    static Optional<RocmSmiCard> of(String key, JsonNode fields) {
        Matcher matcher = KEY.matcher(key);
        if (!matcher.matches() || !fields.isObject()) {
            return Optional.empty();
        }
        int index = Integer.parseInt(matcher.group(1));
        return Optional.of(new RocmSmiCard(
                index,
                uuid(index, fields.path("Unique ID").asText("")),
                text(fields, MODEL).orElse("AMD GPU"),
                text(fields, List.of("PCI Bus")).orElse(""),
                Math.round(number(fields, List.of("VRAM Total Memory (B)")) / BYTES_PER_MIB),
                number(fields, List.of("Max Graphics Package Power (W)")),
                fields));
    }

    /** ROCm's runtime writes all sixteen digits, {@code rocm-smi} leaves zeros at the front out. */
    private static String uuid(int index, String uniqueId) {
        Matcher id = UNIQUE_ID.matcher(uniqueId);
        return id.matches() && !id.group(1).matches("0+")
                ? "GPU-" + "0".repeat(16 - id.group(1).length()) + id.group(1).toLowerCase(Locale.ROOT)
                : Integer.toString(index);
    }

    DeviceReading reading() {
        return new DeviceReading(
                false,
                number(fields, POWER),
                limitWatts,
                Math.min(100, number(fields, List.of("GPU use (%)"))),
                Math.round(number(fields, List.of("VRAM Total Used Memory (B)")) / BYTES_PER_MIB),
                number(fields, TEMPERATURE),
                DeviceReading.NO_COUNTER);
    }

    private static Optional<String> text(JsonNode fields, List<String> names) {
        return names.stream()
                .map(name -> fields.path(name).asText("").strip())
                .filter(value -> !value.isEmpty() && !value.startsWith("N/A"))
                .findFirst();
    }

    /** The first of the fields that is a number from 0 on; they are texts in most releases. */
    private static double number(JsonNode fields, List<String> names) {
        for (String name : names) {
            try {
                double value = Double.parseDouble(fields.path(name).asText(""));
                if (value >= 0 && Double.isFinite(value)) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Says in words why there is none: the next field may have one.
            }
        }
        return 0;
    }
}
