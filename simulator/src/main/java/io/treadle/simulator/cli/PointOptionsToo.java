// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import java.util.Arrays;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Gives a command all options of a point that it has not itself, as texts: it is told in them what points there are. */
final class PointOptionsToo implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
        for (OptionSpec option :
                CommandSpec.forAnnotatedObject(new PointOptions()).options()) {
            if (command.findOption(option.longestName()) == null) {
                command.addOption(copy(option));
            }
        }
        return command;
    }

    private static OptionSpec copy(OptionSpec option) {
        OptionSpec.Builder copy = OptionSpec.builder(option.names())
                .description(Arrays.stream(option.description())
                        .map(line -> line.replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValueString())))
                        .toArray(String[]::new));
        return isSwitch(option)
                ? copy.arity("0").type(boolean.class).build()
                : copy.arity("1")
                        .type(String.class)
                        .paramLabel(option.paramLabel())
                        .build();
    }

    /** Whether it has no value. */
    static boolean isSwitch(OptionSpec option) {
        return option.arity().max() == 0;
    }
}
