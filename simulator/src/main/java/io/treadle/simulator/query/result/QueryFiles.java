// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.result;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.treadle.simulator.files.CsvRows;
import io.treadle.simulator.files.WholeFile;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.query.engine.Finished;
import io.treadle.simulator.query.engine.QueryRun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes {@code requests-<policy>.csv}, {@code summary.json} and {@code report.html}. */
public final class QueryFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;
    private final List<QuerySummary> summaries = new ArrayList<>();

    /** @throws InputException if the directory cannot be made */
    public QueryFiles(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new InputException("--out " + directory + " cannot be made: " + e.getMessage() + ".", e);
        }
    }

    /**
     * Writes the requests of a policy, and the summary of all so far.
     *
     * @throws InputException if a file cannot be written
     */
    public void add(QueryRun run, QuerySummary summary) {
        summaries.add(summary);
        write("requests-" + run.policy() + ".csv", out -> requests(run, out));
        write("summary.json", out -> JSON.writeValue(out, summaries));
    }

    /** @throws InputException if it cannot be written */
    public void page(String html) {
        write("report.html", out -> out.write(html.getBytes(StandardCharsets.UTF_8)));
    }

    private void write(String name, WholeFile.Content content) {
        try {
            WholeFile.write(directory.resolve(name), content);
        } catch (IOException e) {
            throw new InputException("cannot write to " + directory + ": " + e.getMessage() + ".", e);
        }
    }

    private static void requests(QueryRun run, OutputStream out) throws IOException {
        Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        CsvRows rows = new CsvRows(text, List.of("jobId", "workflow", "arrivalMs", "endMs", "latencyMs", "placement"));
        for (Finished each : run.finished()) {
            rows.add(
                    each.request().id(),
                    each.request().graph().name(),
                    each.request().arrivalMs(),
                    each.endMs(),
                    each.latencyMs(),
                    each.workers().stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
        rows.flush();
    }
}
