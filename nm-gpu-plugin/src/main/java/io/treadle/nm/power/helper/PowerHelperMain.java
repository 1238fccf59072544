// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.power.helper;

import io.treadle.nm.device.DeviceProvider;
import io.treadle.nm.device.DeviceProviderException;
import io.treadle.nm.nvml.NvmlProvider;
import io.treadle.nm.power.BootId;
import io.treadle.nm.power.CapJournal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** {@code treadle power-helper}: sets power limits as root for NodeManagers that are not. */
public final class PowerHelperMain {
    static final String USAGE =
            """
            treadle power-helper [--socket FILE] [--state FILE] [--nvml-library LIB]
            Sets the power limits of NVIDIA GPUs for the NodeManager; to be run as root, by systemd. It knows three commands
            (limits of a GPU, set one, restore it), brings every limit into what the GPU takes and what was set when it
            started, and restores limits when a client hangs up, and at its own end.
              --socket FILE        Unix socket to listen on; default /run/treadle-power/helper.sock
              --state FILE         own limits of capped GPUs; default /run/treadle-power/journal.json
              --nvml-library LIB   NVML; default libnvidia-ml.so.1
            Exits with 1 if there is no driver or the socket cannot be made, with 2 for a wrong argument.
            """;

    private PowerHelperMain() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    /** @return the exit status */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(USAGE);
            return 0;
        }
        String socket = "/run/treadle-power/helper.sock";
        String state = "/run/treadle-power/journal.json";
        String library = "libnvidia-ml.so.1";
        for (int i = 0; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) {
                err.println("treadle: " + arguments.get(i) + " needs a value.\nMaybe --help");
                return 2;
            }
            String value = arguments.get(i + 1);
            switch (arguments.get(i)) {
                case "--socket" -> socket = value;
                case "--state" -> state = value;
                case "--nvml-library" -> library = value;
                default -> {
                    err.println("treadle: unknown argument '" + arguments.get(i) + "'.\nMaybe --help");
                    return 2;
                }
            }
        }
        try (DeviceProvider provider = NvmlProvider.open(library)) {
            serve(provider, Path.of(socket), new CapJournal(Path.of(state), BootId.current()));
            return 0;
        } catch (DeviceProviderException e) {
            err.println("treadle: " + e.getMessage());
        } catch (IOException e) {
            err.println("treadle: " + e + ".\nMaybe it is not root, or the directory of " + socket + " is absent");
        }
        return 1;
    }

    private static void serve(DeviceProvider provider, Path socket, CapJournal journal) throws IOException {
        PowerHelper helper = PowerHelper.listen(socket, HelperDevices.open(provider, journal));
        Thread end = new Thread(() -> closeQuietly(helper), "treadle-power-end");
        Runtime.getRuntime().addShutdownHook(end);
        helper.serve();
        // Waits for the hook, if that has ended it: limits come back before the driver is left.
        helper.close();
    }

    private static void closeQuietly(PowerHelper helper) {
        try {
            helper.close();
        } catch (IOException e) {
            System.err.println("treadle: " + e);
        }
    }
}
