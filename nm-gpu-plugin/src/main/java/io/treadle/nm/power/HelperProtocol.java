// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power;

import io.treadle.nm.device.PowerLimitException;
import io.treadle.nm.device.PowerLimitException.Reason;
import io.treadle.nm.device.PowerLimits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client and the helper say to each other, a line of ASCII each: {@code LIMITS <uuid>}, {@code SET <uuid>
 * <milliwatts>} and {@code RESTORE <uuid>}; answered by {@code OK <min> <max> <default> <set> <enforced>} in mW, or by
 * {@code ERR <reason> <text>} (spec: {@code docs/spec/power-helper.md}).
 */
public final class HelperProtocol {
    public static final int MOST_LINE = 256;

    private static final Pattern OK = Pattern.compile("OK (\\d{1,10}) (\\d{1,10}) (\\d{1,10}) (\\d{1,10}) (\\d{1,10})");
    private static final Pattern ERR = Pattern.compile("ERR ([A-Z_]+) (.*)");

    private HelperProtocol() {}

    static String limits(String uuid) {
        return "LIMITS " + uuid;
    }

    static String set(String uuid, long milliwatts) {
        return "SET " + uuid + " " + milliwatts;
    }

    static String restore(String uuid) {
        return "RESTORE " + uuid;
    }

    public static String ok(PowerLimits limits) {
        return "OK " + limits.minMilliwatts() + " " + limits.maxMilliwatts() + " " + limits.defaultMilliwatts() + " "
                + limits.setMilliwatts() + " " + limits.enforcedMilliwatts();
    }

    public static String error(PowerLimitException e) {
        String text = String.valueOf(e.getMessage()).replaceAll("[^\\x20-\\x7e]+", " ");
        String line = "ERR " + e.reason() + " " + text;
        return line.length() > MOST_LINE ? line.substring(0, MOST_LINE) : line;
    }

    /** @throws PowerLimitException if the answer is that the helper refuses, or is none */
    static PowerLimits parse(String answer) throws PowerLimitException {
        Matcher ok = OK.matcher(answer);
        if (ok.matches()) {
            return new PowerLimits(
                    Long.parseLong(ok.group(1)),
                    Long.parseLong(ok.group(2)),
                    Long.parseLong(ok.group(3)),
                    Long.parseLong(ok.group(4)),
                    Long.parseLong(ok.group(5)));
        }
        Matcher err = ERR.matcher(answer);
        if (err.matches()) {
            throw new PowerLimitException(reason(err.group(1)), "helper: " + err.group(2));
        }
        throw new PowerLimitException(Reason.FAILED, "the helper answers '" + answer + "', which is no answer");
    }

    private static Reason reason(String word) {
        for (Reason reason : Reason.values()) {
            if (reason.name().equals(word)) {
                return reason;
            }
        }
        return Reason.FAILED;
    }
}
