// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A stand-in for AMD's {@code rocm-smi}, which no machine here can run: a script that takes the real tool's options and
 * prints what it printed in several releases. The fields and their values' forms are those of public logs; the amounts are
 * made up.
 */
final class RocmSmiStandIn {
    /** ROCm 4.5: "Card series" with a small s, averages of power, everything as text. */
    static final String ROCM_4 =
            """
            {"card0": {"Unique ID": "0x2150e7d042a1124", "Temperature (Sensor edge) (C)": "48.0",
              "Temperature (Sensor junction) (C)": "52.0", "Temperature (Sensor memory) (C)": "66.0",
              "Average Graphics Package Power (W)": "89.0", "Max Graphics Package Power (W)": "290.0",
              "GPU use (%)": "73", "VRAM Total Memory (B)": "34342961152", "VRAM Total Used Memory (B)": "5368709120",
              "Card series": "Arcturus GL-XL [AMD Instinct MI100]", "Card model": "0x0c34",
              "Card vendor": "Advanced Micro Devices, Inc. [AMD/ATI]", "Card SKU": "D34303", "PCI Bus": "0000:C1:00.0"}}
            """;

    /** ROCm 5.7: an MI250, whose second die tells no power of its own and whose system object is no card. */
    static final String ROCM_5 =
            """
            {"card0": {"Unique ID": "0x719d230578348e8c", "Average Graphics Package Power (W)": "102.0",
              "Max Graphics Package Power (W)": "560.0", "GPU use (%)": "50", "VRAM Total Memory (B)": "68702699520",
              "VRAM Total Used Memory (B)": "51527024640", "Temperature (Sensor edge) (C)": "N/A",
              "Temperature (Sensor junction) (C)": "43.0", "Card series": "AMD INSTINCT MI250 (MCM) OAM AC MBA",
              "Card model": "0x0b0c", "PCI Bus": "0000:32:00.0"},
             "card1": {"Unique ID": "0x719d230578348e8d", "Average Graphics Package Power (W)": "N/A (Secondary die)",
              "Max Graphics Package Power (W)": "0.0", "GPU use (%)": "0", "VRAM Total Memory (B)": "68702699520",
              "VRAM Total Used Memory (B)": "10485760", "Temperature (Sensor junction) (C)": "41.0",
              "Card series": "AMD INSTINCT MI250 (MCM) OAM AC MBA", "PCI Bus": "0000:33:00.0"},
             "system": {"Driver version": "6.2.4"}}
            """;

    /** ROCm 6.3: "Card Series" with a capital S, power of the socket, a warning in front, a board without unique id. */
    static final String ROCM_6 =
            """
            WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status

            {"card0": {"Unique ID": "0xe5d7a9b1c3f20468", "Current Socket Graphics Package Power (W)": "266.0",
              "Max Graphics Package Power (W)": "750.0", "GPU use (%)": "99", "VRAM Total Memory (B)": "206141652992",
              "VRAM Total Used Memory (B)": "200804560896", "Temperature (Sensor junction) (C)": "60.0",
              "Card Series": "AMD Instinct MI300X OAM", "Card Model": "0x74a1", "GUID": "29921", "Node ID": "2",
              "GFX Version": "gfx942", "PCI Bus": "0000:05:00.0"},
             "card1": {"Unique ID": "N/A", "Current Socket Graphics Package Power (W)": 20.358, "GPU use (%)": 2,
              "VRAM Total Memory (B)": 17163091968, "VRAM Total Used Memory (B)": 511442944,
              "Temperature (Sensor edge) (C)": 54, "Card Series": "AMD Radeon RX 9070 XT", "PCI Bus": "0000:87:00.0"},
             "card2": {"Unique ID": "0x1"},
             "system": {"Driver version": "6.10.5", "PID710898": "python3, 1, 200145596416, 0, 88"}}
            """;

    private final Path directory;

    private RocmSmiStandIn(Path directory) {
        this.directory = directory;
    }

    static RocmSmiStandIn install(Path directory) throws IOException {
        RocmSmiStandIn standIn = new RocmSmiStandIn(directory);
        Path script = Path.of(standIn.command());
        Files.writeString(
                script,
                """
                #!/bin/sh
                # A stand-in for AMD's rocm-smi, for tests alone. It is NOT AMD's tool.
                here=$(dirname "$0")
                echo "$*" >> "$here/calls"
                for option; do
                    case "$option" in
                        vram|--showuniqueid|--showproductname|--showbus|--showmeminfo|--showpower) ;;
                        --showmaxpower|--showuse|--showtemp|--json) ;;
                        *) echo "rocm-smi: error: unrecognized arguments: $option" >&2; exit 2 ;;
                    esac
                done
                cat "$here/output"
                """);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return standIn;
    }

    String command() {
        return directory.resolve("rocm-smi").toString();
    }

    void say(String output) throws IOException {
        Path temporary = Files.writeString(directory.resolve("output.tmp"), output);
        Files.move(temporary, directory.resolve("output"), StandardCopyOption.REPLACE_EXISTING);
    }
}
