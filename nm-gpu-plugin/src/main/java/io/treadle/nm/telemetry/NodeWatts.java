// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.conf.PowerConf;
import io.treadle.nm.device.CommandRunner;
import io.treadle.nm.device.DeviceProviderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Draw of the node: what a command of the admin's prints, else the processors' counters and the GPUs, else a model of idle
 * watts and a share of the GPUs' draw. Which of them it is stands beside each figure.
 */
final class NodeWatts {
    /** A command may ask a slow controller. */
    static final long COMMAND_INTERVAL_MS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(NodeWatts.class);
    private static final double MOST_WATTS = 100_000;

    private final PowerConf conf;
    private final CommandRunner runner;
    private final Optional<Rapl> rapl;
    private boolean asked;
    private long askedMs;
    private OptionalDouble printed = OptionalDouble.empty();
    private String complaint = "";

    /** @param source {@code command}, {@code rapl} or {@code model} */
    record Draw(double watts, String source) {}

    NodeWatts(PowerConf conf, CommandRunner runner, Optional<Rapl> rapl) {
        this.conf = conf;
        this.runner = runner;
        this.rapl = rapl;
    }

    static NodeWatts open(PowerConf conf, CommandRunner runner) {
        return new NodeWatts(
                conf,
                runner,
                openRapl(
                        Path.of("/sys/class/powercap"),
                        Files::readString,
                        !conf.nodeWattsCommand().isEmpty()));
    }

    /** Empty where the counters may not be read, which is said in one line, or are not wanted. */
    static Optional<Rapl> openRapl(Path directory, Rapl.Source files, boolean hasCommand) {
        if (hasCommand) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Rapl(directory, files));
        } catch (IOException e) {
            LOG.info(
                    "the processors' draw cannot be read ({}): the node's is a model.\nMaybe let the NodeManager's user"
                            + " read intel-rapl*/energy_uj, or set {}",
                    e.toString(),
                    PowerConf.NODE_WATTS_COMMAND);
            return Optional.empty();
        }
    }

    /** @param gpuWatts draw of the node's GPUs, W */
    Draw read(double gpuWatts, long nowMs) {
        if (!conf.nodeWattsCommand().isEmpty()) {
            if (!asked || Math.abs(nowMs - askedMs) >= COMMAND_INTERVAL_MS) {
                asked = true;
                askedMs = nowMs;
                printed = ask();
            }
            if (printed.isPresent()) {
                return new Draw(printed.getAsDouble(), "command");
            }
        }
        if (rapl.isPresent()) {
            try {
                OptionalDouble processors = rapl.get().watts(nowMs);
                if (processors.isPresent()) {
                    return new Draw(processors.getAsDouble() + gpuWatts, "rapl");
                }
            } catch (IOException e) {
                complain("the processors' counters: " + e);
            }
        }
        return new Draw(conf.nodeIdleWatts() + gpuWatts * (1 + conf.nodeShare()), "model");
    }

    private OptionalDouble ask() {
        try {
            CommandRunner.Result result = runner.run(conf.nodeWattsCommand());
            double watts = Double.parseDouble(result.output().strip());
            if (result.exitStatus() == 0 && watts > 0 && watts <= MOST_WATTS) {
                complain("");
                return OptionalDouble.of(watts);
            }
            complain(conf.nodeWattsCommand() + " prints " + watts + " and exits with " + result.exitStatus());
        } catch (NumberFormatException e) {
            complain(conf.nodeWattsCommand() + " prints no number");
        } catch (DeviceProviderException e) {
            complain(String.valueOf(e.getMessage()));
        }
        return OptionalDouble.empty();
    }

    private void complain(String trouble) {
        if (!trouble.equals(complaint)) {
            if (!trouble.isEmpty()) {
                LOG.warn("the node's draw cannot be read, it is a model meanwhile: {}", trouble);
            }
            complaint = trouble;
        }
    }
}
