// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.query.engine.Request;
import io.treadle.simulator.query.input.Mix;
import io.treadle.simulator.query.input.PoissonRequests;
import io.treadle.simulator.query.input.PublishedWorkflows;
import io.treadle.simulator.query.input.Rate;
import io.treadle.simulator.query.input.RequestsFile;
import io.treadle.simulator.query.input.WorkflowsFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which queries come. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class RequestOptions {
    private static final String POISSON = "poisson:";
    private static final int MOST_REQUESTS = 10_000_000;

    @Option(
            names = "--workflows",
            required = true,
            paramLabel = "FILE|navigator",
            description = "kinds of queries: their tasks, models and sizes, JSON (docs/spec/workflows-file.md), or the"
                    + " four that Compass was published with")
    private String workflows;

    @Option(
            names = "--requests",
            paramLabel = "FILE",
            description = "when queries come: a table of job_id, job_type or workflow, arrival_ms and perhaps"
                    + " ingress_worker, or a trace of Azure's LLM inference; may be packed with gzip")
    private @Nullable Path requests;

    @Option(
            names = "--arrivals",
            paramLabel = "poisson:PER_SECOND",
            description = "queries come at random instead, so many in a second on average")
    private @Nullable String arrivals;

    @Option(names = "--count", paramLabel = "N", description = "how many come (default: 1000, or all of the file)")
    private @Nullable Integer count;

    @Option(
            names = "--mix",
            split = ",",
            paramLabel = "NAME=WEIGHT",
            description = "how often each workflow comes where no file says which does (default: all alike)")
    private Map<String, Double> mix = Map.of();

    @Option(
            names = "--rate",
            paramLabel = "PER_SECOND",
            description = "move a file's arrivals together or apart so that so many come in a second on average")
    private @Nullable Double rate;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "what is random is drawn from it (default: ${DEFAULT-VALUE})")
    private long seed;

    /** @throws InputException if options or files are not right */
    List<Request> read(int workers) {
        if ((requests == null) == (arrivals == null)) {
            throw new InputException(
                    (requests == null ? "neither --requests nor --arrivals is" : "both --requests and --arrivals are")
                            + " given, must be one of them.");
        }
        if (count != null && (count < 1 || count > MOST_REQUESTS)) {
            throw new InputException("--count is '" + count + "', must be from 1 to " + MOST_REQUESTS + ".");
        }
        List<WorkflowGraph> graphs = workflows.equals(PublishedWorkflows.NAME)
                ? PublishedWorkflows.all()
                : WorkflowsFile.read(Path.of(workflows));
        Mix weights = mix.isEmpty() ? Mix.even(graphs) : Mix.of(graphs, mix);
        return arrivals != null
                ? drawn(weights, arrivals, workers)
                : fromFile(RequestsFile.read(Objects.requireNonNull(requests), graphs, weights, workers, seed));
    }

    private List<Request> drawn(Mix weights, String text, int workers) {
        if (rate != null) {
            throw new InputException("--rate moves arrivals of a file, --arrivals has its own rate: give one of them.");
        }
        return PoissonRequests.draw(weights, perSecond(text), count == null ? 1000 : count, workers, seed);
    }

    private List<Request> fromFile(List<Request> all) {
        List<Request> some = count == null || count >= all.size() ? all : all.subList(0, count);
        if (rate == null) {
            return some;
        }
        if (!(rate > 0 && rate <= 1e6)) {
            throw new InputException("--rate is '" + rate + "', must be above 0 and at most 1e6.");
        }
        return Rate.scale(some, rate);
    }

    private static double perSecond(String text) {
        try {
            double value = text.startsWith(POISSON) ? Double.parseDouble(text.substring(POISSON.length())) : 0;
            if (value > 0 && value <= 1e6) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new InputException("--arrivals is '" + text
                + "', must be poisson: and how many come in a second, above 0 and at most 1e6, such as poisson:2.");
    }
}
