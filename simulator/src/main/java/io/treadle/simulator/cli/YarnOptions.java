// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.sweep.Claims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a sweep whose simulations run on a YARN cluster. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class YarnOptions {
    private static final int MOST_WORKERS = 10_000;
    private static final int MOST_VCORES = 1024;
    private static final int LEAST_MIB = 512;
    private static final String DEFAULT_MEMORY = "2Gi";
    private static final Pattern MEMORY = Pattern.compile("([1-9][0-9]{0,5})(Mi|Gi)");

    @Option(
            names = "--yarn",
            description = "run the simulations as a Treadle job on the cluster of HADOOP_CONF_DIR; --out is on storage"
                    + " that all nodes have at the same path")
    private boolean asked;

    @Option(names = "--workers", paramLabel = "N", description = "--yarn: how many at most (default: 2)")
    private @Nullable Integer workers;

    @Option(
            names = "--vcores",
            paramLabel = "N",
            description = "--yarn: of each worker, which runs as many simulations at the same time (default: 1)")
    private @Nullable Integer vcores;

    @Option(names = "--memory", paramLabel = "SIZE", description = "--yarn: of each worker (default: 2Gi)")
    private @Nullable String memory;

    @Option(names = "--queue", paramLabel = "Q", description = "--yarn: the job's queue (default: YARN's)")
    private @Nullable String queue;

    /** Given by the client to the workers that it starts: the file by which they know its directory. */
    @Option(names = "--worker", hidden = true, paramLabel = "FILE")
    private @Nullable String token;

    boolean isWorker() {
        return token != null;
    }

    /**
     * A worker's share of the work: what no other worker of the same start of the job has taken.
     *
     * @throws InputException if the sweep's directory is not the one in which it was started
     */
    Claims claims(Path out) {
        Path mark = Path.of(Objects.requireNonNull(token));
        if (!Files.isRegularFile(mark)) {
            throw new InputException("--out " + out + " is not the same directory on " + hostName()
                    + " as where the sweep was started, or that has ended: it must be on storage that all nodes have at"
                    + " the same path.");
        }
        // After a failure all workers start again: what the others had taken then is free.
        String start = System.getenv().getOrDefault("TORCHELASTIC_RUN_ID", "alone") + "-"
                + System.getenv().getOrDefault("TORCHELASTIC_RESTART_COUNT", "0");
        return new Claims(mark.resolveSibling("claims").resolve(start));
    }

    private static String hostName() {
        String name = System.getenv("NM_HOST");
        return name == null ? "this machine" : name;
    }

    boolean isYarn() {
        Map<String, Boolean> others = new LinkedHashMap<>();
        others.put("--workers", workers != null);
        others.put("--vcores", vcores != null);
        others.put("--memory", memory != null);
        others.put("--queue", queue != null);
        others.forEach((option, isGiven) -> {
            if (isGiven && !asked) {
                throw new InputException(option + " is for sweeps that run on YARN.\nMaybe add --yarn.");
            }
        });
        return asked;
    }

    int workers() {
        return within("--workers", workers == null ? 2 : workers, MOST_WORKERS);
    }

    int vcores() {
        return within("--vcores", vcores == null ? 1 : vcores, MOST_VCORES);
    }

    int memoryMiB() {
        String text = memory == null ? DEFAULT_MEMORY : memory;
        Matcher parts = MEMORY.matcher(text);
        int mib = parts.matches()
                ? Integer.parseInt(parts.group(1)) * (parts.group(2).equals("Gi") ? 1024 : 1)
                : 0;
        if (mib < LEAST_MIB) {
            throw new InputException(
                    "--memory is '" + text + "', must be memory from " + LEAST_MIB + "Mi, such as 2Gi.");
        }
        return mib;
    }

    @Nullable
    String queue() {
        return queue;
    }

    private static int within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new InputException(option + " is '" + value + "', must be from 1 to " + most + ".");
        }
        return value;
    }
}
