// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.cli;

import io.treadle.simulator.trace.Trace;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.yarn.ResourceManager;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that say where the jobs are. */
@SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
final class TraceOptions {
    @Option(
            names = "--trace",
            required = true,
            paramLabel = "FILE|URL",
            description = "the jobs: a file, plain text or gzip; or a ResourceManager such as http://rm:8088 for the"
                    + " applications that it remembers")
    private String trace;

    @Option(
            names = "--format",
            defaultValue = "auto",
            paramLabel = "NAME",
            description = "format of the trace: acme, analysim, elasticflow, gavel, helios, muri, openb, pai, philly,"
                    + " pollux, sacct, servers, spot, swf, synergy, tiresias, treadle or yarn (default: ${DEFAULT-VALUE}, by how"
                    + " it begins)")
    private String format;

    @Option(
            names = "--skip-bad-rows",
            description = "leave out rows of the trace that cannot be used, and say how many")
    private boolean skipBadRows;

    /** The file, which is fetched where an address is named. */
    Path file() {
        return ResourceManager.isAddress(trace) ? ResourceManager.at(trace).applications() : Path.of(trace);
    }

    String format() {
        return format;
    }

    boolean skipsBadRows() {
        return skipBadRows;
    }

    /** The jobs as the trace tells them, for no cluster. */
    Trace told() {
        return Traces.told(format, file(), skipBadRows);
    }
}
