// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** {@code libnvidia-ml.so.1} built from {@code src/test/c/fake_nvml.c}, answering from a file beside it. */
public final class FakeNvml {
    private static final String NAME = "libnvidia-ml.so.1";

    private final Path library;

    private FakeNvml(Path library) {
        this.library = library;
    }

    /**
     * Builds the library in {@code directory}; skips the test where there is no gcc.
     *
     * @param options further ones of gcc; {@code -DBEFORE_VOLTA} leaves out the function for energy, {@code
     *     -DWITHOUT_PROCESSES} that for processes, {@code -DWITHOUT_MIG} those for MIG
     */
    public static FakeNvml build(Path directory, String... options) throws IOException, InterruptedException {
        Assumptions.assumeTrue(hasGcc(), "gcc is not installed: the fake NVML library cannot be built");
        Path library = directory.resolve(NAME);
        List<String> command =
                new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-Wl,-soname," + NAME));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-o",
                library.toString(),
                Path.of("src/test/c/fake_nvml.c").toAbsolutePath().toString(),
                "-ldl"));
        Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, gcc.waitFor(), output);
        return new FakeNvml(library);
    }

    public String library() {
        return library.toString();
    }

    public void say(String... lines) throws IOException {
        Path temporary = Path.of(library + ".state.tmp");
        Files.writeString(temporary, String.join("\n", lines) + "\n");
        Files.move(temporary, Path.of(library + ".state"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    /** @param code what every call on the device answers; 0 when it is well */
    public static String gpu(String uuid, int milliwatts, int code) {
        return "gpu " + uuid + " NVIDIA-A100-SXM4-40GB 40960 1024 " + milliwatts + " 400000 55 48 123456789 " + code;
    }

    /** Limits from 100 to 400 W, 400 W at first; setting one works. */
    public static String power(String uuid) {
        return power(uuid, 0, true, -1);
    }

    /**
     * @param setCode what setting a limit answers
     * @param applied whether a limit that is set well comes into force
     * @param enforcedMilliwatts limit in force whatever is set, mW; below 0 for the one that is set
     */
    public static String power(String uuid, int setCode, boolean applied, int enforcedMilliwatts) {
        return "power " + uuid + " 100000 400000 400000 " + setCode + " " + (applied ? 1 : 0) + " " + enforcedMilliwatts
                + " 1095 4";
    }

    /** @param code what asking for the device's processes answers; 0 when it is well */
    public static String processes(String uuid, int code) {
        return "processes " + uuid + " " + code;
    }

    /** A card that MIG divides. */
    public static String migEnabled(String uuid) {
        return "migmode " + uuid + " 1";
    }

    /**
     * A MIG instance of a card, with 100 MiB in use.
     *
     * @param place one of 7 on the card, from 0
     */
    public static String migInstance(String card, int place, String uuid, String profile, long memoryMiB) {
        return "mig " + card + " " + place + " " + uuid + " NVIDIA-A100-SXM4-40GB-MIG-" + profile + " " + memoryMiB
                + " 100 0";
    }

    /** One sample of how busy a process has kept the device. */
    public static String use(String uuid, long pid, long micros, long percent) {
        return "use " + uuid + " " + pid + " " + micros + " " + percent;
    }

    /** Sets a limit as another process does. */
    public void put(String uuid, int milliwatts) throws IOException {
        Files.writeString(
                Path.of(library + ".limits"),
                uuid + " " + milliwatts + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** Each limit that was set on the device since it was made, mW, in order. */
    public List<Long> limitsSet(String uuid) throws IOException {
        Path limits = Path.of(library + ".limits");
        if (!Files.exists(limits)) {
            return List.of();
        }
        return Files.readAllLines(limits).stream()
                .filter(line -> line.startsWith(uuid + " "))
                .map(line -> Long.valueOf(line.substring(uuid.length() + 1)))
                .toList();
    }

    private static boolean hasGcc() {
        try {
            return new ProcessBuilder("gcc", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
