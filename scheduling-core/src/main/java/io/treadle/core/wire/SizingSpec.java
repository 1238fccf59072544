// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.resource.ResourceVector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * What a job says at its submission of what its end is worth and of the most that it may hold, for policies that choose how
 * many workers and parameter servers it gets (spec: {@code docs/spec/submission-properties.md}).
 *
 * @param weight the most that its end can be worth; empty for its application's priority + 1
 * @param decayPerHour how suddenly that falls at the target
 * @param targetHours after how many hours half of the weight is left; empty where nobody says
 * @param cap the most that all its tasks may hold together; an amount of 0 is not limited
 */
public record SizingSpec(OptionalDouble weight, double decayPerHour, OptionalDouble targetHours, ResourceVector cap) {
    public static final String WEIGHT = "treadle.utility.weight";
    public static final String DECAY_PER_HOUR = "treadle.utility.decay-per-hour";
    public static final String TARGET_HOURS = "treadle.utility.target-hours";
    public static final String CAP = "treadle.cap";

    public static final double DEFAULT_DECAY_PER_HOUR = 0.1;
    /** Of each of the three numbers. */
    public static final double MOST = 1e9;

    /** Of the cap: it is parsed on the scheduler's own thread. */
    private static final int MOST_CHARACTERS = 4_096;

    public static final String RIGHT_WEIGHT = "a number above 0 and at most 1000000000";
    public static final String RIGHT_NUMBER = "a number from 0 to 1000000000";

    /** Of a job that says nothing of it. */
    public static final SizingSpec NONE =
            new SizingSpec(OptionalDouble.empty(), DEFAULT_DECAY_PER_HOUR, OptionalDouble.empty(), ResourceVector.ZERO);

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,20})?([eE][-+]?[0-9]{1,3})?");

    /** @throws WireFormatException if a number is none that makes sense; the message names its property */
    public SizingSpec {
        weight.ifPresent(value -> check(WEIGHT, Double.toString(value), isWeight(value), RIGHT_WEIGHT));
        check(DECAY_PER_HOUR, Double.toString(decayPerHour), isNumber(decayPerHour), RIGHT_NUMBER);
        targetHours.ifPresent(value -> check(TARGET_HOURS, Double.toString(value), isNumber(value), RIGHT_NUMBER));
    }

    /** A weight as a person writes it; empty where the text is none. */
    public static OptionalDouble weight(String text) {
        double value = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : 0;
        return isWeight(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    public static boolean isWeight(double value) {
        return value > 0 && value <= MOST;
    }

    /** Whether it can be a decay or a target. */
    public static boolean isNumber(double value) {
        return value >= 0 && value <= MOST;
    }

    private static void check(String name, String value, boolean isGood, String right) {
        if (!isGood) {
            throw new WireFormatException("submission property " + name + " is '" + value + "', must be " + right);
        }
    }

    /** What the job may hold, where it could use so much: what it does not limit stays. */
    public ResourceVector within(ResourceVector most) {
        return new ResourceVector(
                within(cap.gpus(), most.gpus()),
                within(cap.vcores(), most.vcores()),
                within(cap.memoryMiB(), most.memoryMiB()),
                within(cap.gpuMemoryMiB(), most.gpuMemoryMiB()),
                within(cap.storageMBps(), most.storageMBps()),
                within(cap.watts(), most.watts()));
    }

    private static long within(long limit, long most) {
        return limit > 0 ? Math.min(limit, most) : most;
    }

    /** Whether a job that needs so much at least can ever have it. */
    public boolean allows(ResourceVector least) {
        return least.where(cap).fitsIn(cap);
    }

    Map<String, String> toProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        weight.ifPresent(value -> properties.put(WEIGHT, Double.toString(value)));
        properties.put(DECAY_PER_HOUR, Double.toString(decayPerHour));
        targetHours.ifPresent(value -> properties.put(TARGET_HOURS, Double.toString(value)));
        if (!cap.isZero()) {
            ObjectNode json = Fields.MAPPER.createObjectNode();
            Amounts.put(json, cap);
            properties.put(CAP, json.toString());
        }
        return properties;
    }

    /** @throws WireFormatException if a property is wrong */
    static SizingSpec fromProperties(Map<String, String> properties) {
        OptionalDouble weight = number(properties, WEIGHT, RIGHT_WEIGHT);
        OptionalDouble decay = number(properties, DECAY_PER_HOUR, RIGHT_NUMBER);
        OptionalDouble target = number(properties, TARGET_HOURS, RIGHT_NUMBER);
        String cap = properties.getOrDefault(CAP, "");
        if (cap.length() > MOST_CHARACTERS) {
            throw new WireFormatException("submission property " + CAP + " has " + cap.length()
                    + " characters, must have at most " + MOST_CHARACTERS);
        }
        return new SizingSpec(
                weight,
                decay.orElse(DEFAULT_DECAY_PER_HOUR),
                target,
                cap.isEmpty() ? ResourceVector.ZERO : Amounts.from(Fields.parse("submission property " + CAP, cap)));
    }

    private static OptionalDouble number(Map<String, String> properties, String name, String right) {
        String value = properties.getOrDefault(name, "").strip();
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        check(name, value, NUMBER.matcher(value).matches(), right);
        double number = Double.parseDouble(value);
        check(name, value, name.equals(WEIGHT) ? isWeight(number) : isNumber(number), right);
        return OptionalDouble.of(number);
    }
}
