// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.hadoop;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of the Hadoop that a process runs with, as Hadoop's {@code VersionInfo} says it, and whether Treadle works
 * with it.
 *
 * @param text such as {@code 3.4.3}, or a vendor's {@code 3.4.1.7.3.1.0-197}
 */
public record HadoopVersion(String text) {
    /** What the cluster tests run on, oldest first. */
    public static final List<String> TESTED = List.of("3.4.3", "3.5.0");

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?!\\d).*");
    private static final Line OLDEST = Line.of(TESTED.get(0)).orElseThrow();
    private static final Line NEWEST = Line.of(TESTED.get(TESTED.size() - 1)).orElseThrow();

    /** Why Treadle does not start with this Hadoop; empty where it does. */
    public Optional<String> refusal() {
        return Line.of(text)
                .filter(line -> line.isBefore(OLDEST))
                .map(line -> "this is Hadoop " + text + ", Treadle needs Hadoop " + OLDEST + " or newer (tested: "
                        + String.join(", ", TESTED) + ").\nMaybe update Hadoop, or take Treadle's settings out again.");
    }

    /** What to say at the start of a process where Treadle may work, but was not seen to; empty where it was. */
    public Optional<String> warning() {
        Optional<Line> line = Line.of(text);
        if (line.isPresent() && !NEWEST.isBefore(line.get())) {
            return Optional.empty();
        }
        return Optional.of("this is Hadoop '" + text + "', with which Treadle was not tested; it was with "
                + String.join(", ", TESTED) + ".\nMaybe try it on a cluster of no importance first.");
    }

    /** Versions that differ in the third number alone have the same classes. */
    private record Line(int major, int minor) {
        static Optional<Line> of(String version) {
            Matcher numbers = NUMBERS.matcher(version);
            return numbers.matches()
                    ? Optional.of(new Line(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
                    : Optional.empty();
        }

        boolean isBefore(Line other) {
            return major < other.major || (major == other.major && minor < other.minor);
        }

        @Override
        public String toString() {
            return major + "." + minor;
        }
    }
}
