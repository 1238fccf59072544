// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.wire;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One device in a container's signed token, as an allocation tag: {@code treadle.dev.<uuid>.all} for a whole GPU,
 * {@code treadle.dev.<uuid>.<MiB>} for a slice of its memory.
 *
 * @param uuid the device's UUID as its driver names it
 * @param sliceMiB the slice's memory, MiB; empty for the whole device
 */
public record DeviceTag(String uuid, OptionalLong sliceMiB) {
    /** Tags that begin so are the scheduler's; users may not set them. */
    public static final String RESERVED_PREFIX = "treadle.";

    private static final String PREFIX = RESERVED_PREFIX + "dev.";
    private static final String WHOLE = "all";

    public DeviceTag {
        if (uuid.isEmpty() || (sliceMiB.isPresent() && sliceMiB.getAsLong() <= 0)) {
            throw new WireFormatException(
                    "device tag needs a UUID and a slice above 0 MiB, not '" + uuid + "', " + sliceMiB);
        }
    }

    public static DeviceTag whole(String uuid) {
        return new DeviceTag(uuid, OptionalLong.empty());
    }

    public static DeviceTag slice(String uuid, long memoryMiB) {
        return new DeviceTag(uuid, OptionalLong.of(memoryMiB));
    }

    public String format() {
        return PREFIX + uuid + "." + (sliceMiB.isPresent() ? Long.toString(sliceMiB.getAsLong()) : WHOLE);
    }

    /**
     * Empty for tags that are not device tags.
     *
     * @throws WireFormatException for a tag that begins as a device tag and goes on as none
     */
    public static Optional<DeviceTag> parse(String tag) {
        if (!tag.startsWith(PREFIX)) {
            return Optional.empty();
        }
        int dot = tag.lastIndexOf('.');
        String uuid = dot > PREFIX.length() ? tag.substring(PREFIX.length(), dot) : "";
        String amount = tag.substring(dot + 1);
        if (!uuid.isEmpty() && amount.equals(WHOLE)) {
            return Optional.of(whole(uuid));
        }
        if (!uuid.isEmpty() && amount.matches("[1-9][0-9]{0,11}")) {
            return Optional.of(slice(uuid, Long.parseLong(amount)));
        }
        throw new WireFormatException(
                "allocation tag '" + tag + "' must read " + PREFIX + "<uuid>.all or " + PREFIX + "<uuid>.<MiB>");
    }
}
