// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.core.query.Adjustment;
import io.treadle.core.query.DelayModel;
import io.treadle.core.query.Eviction;
import io.treadle.core.query.LinearDelays;
import io.treadle.core.query.Prefetcher;
import io.treadle.core.query.PublishedDelays;
import io.treadle.core.query.QueueOrder;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.input.Row;
import io.treadle.simulator.query.engine.QuerySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how workers run queries, whatever the policy. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class QueryOptions {
    private static final int MOST_WORKERS = 100_000;
    private static final String REFERENCE = "reference";
    private static final double MS_A_US = 1e-3;
    private static final double KB_PER_MS_A_GBPS = 1000;

    @Option(names = "--workers", required = true, paramLabel = "N", description = "workers, each with one GPU")
    private int workers;

    @Option(
            names = "--gpu-memory",
            defaultValue = "14000000kB",
            paramLabel = "SIZE",
            description = "of each GPU, what models may take, in kB, MB or GB of 1,000, or KiB, MiB or GiB of 1,024"
                    + " (default: ${DEFAULT-VALUE})")
    private String gpuMemory;

    @Option(
            names = "--staleness-ms",
            defaultValue = "10",
            paramLabel = "MS",
            description = "how often workers tell each other how they are; 0: each always knows of all (default:"
                    + " ${DEFAULT-VALUE})")
    private double staleness;

    @Option(
            names = "--adjust",
            paramLabel = "gain|load|none",
            description = "when compass moves a planned task once its input is there: when it would begin earlier"
                    + " elsewhere by more than the threshold, when its worker has more to do than the threshold, or never"
                    + " (default: gain)")
    private @Nullable String adjust;

    @Option(
            names = "--adjust-threshold",
            defaultValue = "1.5",
            paramLabel = "X",
            description = "the threshold, in what the task takes to run (default: ${DEFAULT-VALUE})")
    private double threshold;

    @Option(
            names = "--queue",
            paramLabel = "fifo|least-left",
            description =
                    "what runs next on a worker: what came first, or what belongs to the query that has least left"
                            + " to do, its waiting counted for it (default: least-left under compass, else fifo)")
    private @Nullable String queue;

    @Option(
            names = "--eviction",
            defaultValue = "look-ahead",
            paramLabel = "look-ahead|lru|fifo",
            description = "which models go for others (default: ${DEFAULT-VALUE})")
    private String eviction;

    @Option(
            names = "--prefetch",
            defaultValue = "on",
            paramLabel = "on|off",
            description = "whether models of waiting tasks are fetched while another runs (default: ${DEFAULT-VALUE})")
    private String prefetch;

    @Option(
            names = "--cache-aware",
            defaultValue = "on",
            paramLabel = "on|off",
            description = "whether policies know which models workers hold (default: ${DEFAULT-VALUE})")
    private String cacheAware;

    @Option(
            names = "--pcie-gbps",
            paramLabel = "GB/S",
            description = "bandwidth between host and GPU, 1e9 bytes/s (default: 10.2, as published)")
    private @Nullable Double pcie;

    @Option(
            names = "--net-gbps",
            paramLabel = "GB/S",
            description = "bandwidth between workers, 1e9 bytes/s (default: up to 12.6, as published)")
    private @Nullable Double net;

    @Option(
            names = "--net-latency-us",
            paramLabel = "US",
            description = "latency between workers, microseconds (default: 2, as published)")
    private @Nullable Double latency;

    @Option(
            names = "--compat",
            paramLabel = "NAME",
            description =
                    "agree to the digit with a published simulator: reference (Compass as it was published: --adjust"
                            + " load, --queue fifo)")
    private @Nullable String compat;

    /** @throws InputException if a value is not one of those that there are */
    QuerySettings settings() {
        if (compat != null && !compat.equals(REFERENCE)) {
            throw new InputException(
                    "--compat is '" + compat + "', must be " + REFERENCE + " where queries are simulated.");
        }
        if (compat != null && (adjust != null || queue != null)) {
            throw new InputException("--compat " + REFERENCE + " has its own --adjust and --queue: give one of them.");
        }
        if (workers < 1 || workers > MOST_WORKERS) {
            throw new InputException("--workers is '" + workers + "', must be from 1 to " + MOST_WORKERS + ".");
        }
        QuerySettings usual = compat == null ? QuerySettings.usual(workers) : QuerySettings.published(workers);
        Adjustment.Rule rule = adjust == null
                ? usual.adjustment().rule()
                : named("--adjust", adjust, () -> Adjustment.Rule.of(String.valueOf(adjust)));
        if (!(staleness >= 0 && staleness <= 1e9)) {
            throw new InputException("--staleness-ms is '" + staleness + "', must be from 0 to 1e9.");
        }
        if (!(threshold >= 0 && threshold <= 1e9)) {
            throw new InputException("--adjust-threshold is '" + threshold + "', must be from 0 to 1e9.");
        }
        return new QuerySettings(
                workers,
                KiloBytes.parse("--gpu-memory", gpuMemory),
                delays(),
                staleness,
                new Adjustment(rule, threshold),
                Values.onOff("--cache-aware", cacheAware),
                named("--eviction", eviction, () -> Eviction.of(eviction)),
                Values.onOff("--prefetch", prefetch) ? Prefetcher.USUAL : Prefetcher.NONE,
                queue == null
                        ? usual.order()
                        : Optional.of(named("--queue", queue, () -> QueueOrder.of(String.valueOf(queue)))));
    }

    private DelayModel delays() {
        if (pcie == null && net == null && latency == null) {
            return new PublishedDelays();
        }
        return new LinearDelays(
                positive("--pcie-gbps", pcie == null ? 10.2 : pcie) * KB_PER_MS_A_GBPS,
                positive("--net-gbps", net == null ? 12.6 : net) * KB_PER_MS_A_GBPS,
                positive("--net-latency-us", latency == null ? 2 : latency) * MS_A_US);
    }

    private static double positive(String option, double value) {
        if (!(value > 0 && value <= 1e9)) {
            throw new InputException(option + " is '" + value + "', must be above 0 and at most 1e9.");
        }
        return value;
    }

    private static <T> T named(String option, String value, Supplier<T> of) {
        try {
            return of.get();
        } catch (IllegalArgumentException e) {
            throw new InputException(option + " is '" + value + "', " + e.getMessage() + ".", e);
        }
    }

    /** What is not as usual, and what matters most. */
    String words(QuerySettings settings) {
        List<String> words = new ArrayList<>();
        words.add(String.format(
                Locale.ROOT,
                "%,d workers with %.1f GB of GPU memory for models",
                settings.workers(),
                settings.gpuMemoryKb() / 1e6));
        words.add(
                settings.stalenessMs() == 0
                        ? "each knows of all others at once"
                        : "each knows of others every " + Row.plain(settings.stalenessMs()) + " ms");
        words.add("compass adjusts by " + settings.adjustment().rule().text()
                + (settings.adjustment().rule() == Adjustment.Rule.NONE
                        ? ""
                        : " beyond " + Row.plain(settings.adjustment().threshold()) + " times a task's length"));
        words.add("queues: " + settings.order().map(QueueOrder::text).orElse("least-left under compass, else fifo"));
        words.add("eviction: " + settings.eviction().text());
        if (settings.prefetcher().equals(Prefetcher.NONE)) {
            words.add("no prefetching");
        }
        if (!settings.cacheAware()) {
            words.add("policies do not know which models workers hold");
        }
        return String.join("; ", words) + ".";
    }
}
