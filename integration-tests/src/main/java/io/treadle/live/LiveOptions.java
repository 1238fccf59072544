// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.demo.DemoException;
import java.nio.file.Path;
import java.util.List;

/**
 * What was asked for on the command line.
 *
 * @param out where everything goes
 * @param quick whether only a look is wanted
 * @param help whether only the usage is wanted
 */
record LiveOptions(Path out, boolean quick, boolean help) {
    /**
     * @param bench what is measured, as on the command line
     * @throws DemoException if an argument is unknown or its value is wrong
     */
    static LiveOptions parse(List<String> arguments, String bench) {
        Path out = Path.of("out", "bench-" + bench + "-live");
        boolean quick = false;
        boolean help = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                // Which bench it is was for the caller to see.
                case "--live" -> {}
                case "--out" -> out = Path.of(value(arguments, ++i, bench));
                case "--quick" -> quick = true;
                case "--help", "-h" -> help = true;
                default ->
                    throw new DemoException("unknown argument '" + argument
                            + "', with --live it must be one of --out, --quick, --help.");
            }
        }
        return new LiveOptions(out, quick, help);
    }

    private static String value(List<String> arguments, int index, String bench) {
        if (index >= arguments.size() || arguments.get(index).startsWith("--")) {
            throw new DemoException(arguments.get(index - 1) + " has no value.\nMaybe see 'treadle bench " + bench
                    + " --live --help'.");
        }
        return arguments.get(index);
    }
}
