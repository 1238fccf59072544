// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.trace.Pseudonyms;
import io.treadle.simulator.trace.Trace;
import io.treadle.simulator.trace.TraceFile;
import io.treadle.simulator.trace.TraceJob;
import io.treadle.simulator.trace.Traces;
import io.treadle.simulator.trace.Training;
import io.treadle.simulator.trace.Work;
import io.treadle.simulator.trace.Workload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A trace that was exported is the same jobs, and its replay the same starts and ends. */
class ExportedTraceTest {
    private static final Pseudonyms NAMES = new Pseudonyms("pepper and salt".getBytes(StandardCharsets.UTF_8));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static Path resource(String name) throws Exception {
        return Path.of(Objects.requireNonNull(ExportedTraceTest.class.getResource("/" + name), name)
                .toURI());
    }

    private List<TraceJob> exported(Trace told, SimCluster cluster) {
        Path file = directory.resolve("exported.csv.gz");
        TraceFile.write(file, told.jobs());
        return Traces.read("treadle", file, cluster);
    }

    /** First start and end of each job, ms since the first submission, in order of submission. */
    private static List<String> replayed(SimCluster cluster, List<TraceJob> jobs) {
        long zero = jobs.get(0).submitMs();
        return Runs.run(new Workload(cluster, jobs), Runs.options(Compat.NONE, "consolidate"), "sjf").stream()
                .map(run -> run.firstStartMs() - zero + ".." + (run.endMs() - zero))
                .toList();
    }

    /** All but how run times are made of iterations, which has no column. */
    private static TraceJob plain(TraceJob job) {
        TraceJob seconds = job.withWork(new Work(
                job.work().seconds(), 1, job.work().scaling(), job.work().sensitivity()));
        return new TraceJob(
                seconds.id(),
                seconds.queue(),
                seconds.user(),
                seconds.submitMs(),
                seconds.groups(),
                seconds.work(),
                Optional.empty(),
                seconds.foretoldSeconds(),
                seconds.training()
                        .filter(training -> training.batch() > 0)
                        .map(training -> new Training(
                                training.model(),
                                training.batch(),
                                seconds.work().seconds(),
                                1,
                                Optional.empty())),
                seconds.history(),
                seconds.attributes(),
                seconds.sizing());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acme.csv",
                "analysim.csv",
                "elasticflow.csv",
                "gavel.tsv",
                "helios.csv",
                "muri.csv",
                "pai.csv",
                "philly.json",
                "pollux.csv",
                "sacct.txt",
                "spot.csv",
                "swf.txt",
                "tiresias.csv",
                "treadle.csv",
                "treadle_elastic.csv",
                "treadle_model.csv",
                "treadle_reading.csv",
                "treadle_wants.csv",
                "yarn.json"
            })
    void sameJobsAndSameReplay(String name) throws Exception {
        Path trace = resource("traces/" + name);
        for (String nodes : List.of("predecessor_alike.csv", "spot_nodes.csv", "pai_machines.csv")) {
            SimCluster cluster =
                    ClusterReader.read(resource("clusters/" + nodes).toString());
            List<TraceJob> original = Traces.read("auto", trace, cluster);
            Trace told = Traces.told("auto", trace, false);
            List<TraceJob> again = exported(told, cluster);
            assertEquals(original.stream().map(ExportedTraceTest::plain).toList(), again, nodes);
            assertEquals(replayed(cluster, original), replayed(cluster, again), nodes);
            assertEquals(
                    replayed(cluster, original), replayed(cluster, exported(NAMES.of(told, true), cluster)), nodes);
        }
    }

    @Test
    void sameReplayOfAPublishedHistory() {
        Path jobs = Reference.file("traces/oracle-helios/jobs.csv.gz");
        SimCluster cluster = ClusterReader.read(
                Reference.file("traces/oracle-helios/vc_nodes.csv").toString());
        assertEquals(
                replayed(cluster, Traces.read("auto", jobs, cluster)),
                replayed(cluster, exported(NAMES.of(Traces.told("auto", jobs, false), true), cluster)));
    }

    @Test
    void pseudonymsTellNothingAndStayTheSame() throws Exception {
        Trace told = Traces.told("auto", resource("traces/helios.csv"), false);
        String text = anonymous(told, NAMES, false);
        Set<String> values = Set.copyOf(Splitter.onPattern("[,\n]").splitToList(text).stream()
                .distinct()
                .toList());
        for (TraceJob job : told.jobs()) {
            for (String name : List.of(job.id(), job.user(), job.queue())) {
                assertFalse(values.contains(name), name + " in\n" + text);
            }
        }
        assertEquals(text, anonymous(told, new Pseudonyms("pepper and salt".getBytes(StandardCharsets.UTF_8)), false));
        assertNotEquals(text, anonymous(told, new Pseudonyms("other salt".getBytes(StandardCharsets.UTF_8)), false));
        assertTrue(
                anonymous(told, NAMES, true).contains("," + told.jobs().get(0).queue() + ","));
    }

    private String anonymous(Trace told, Pseudonyms names, boolean keepQueues) throws IOException {
        Path file = directory.resolve("anonymous.csv");
        TraceFile.write(file, names.of(told, keepQueues).jobs());
        return Files.readString(file);
    }

    @Test
    void refusesJobsThatNeverEnd() throws Exception {
        Trace pods = Traces.told("auto", resource("traces/openb.csv"), false);
        Path file = directory.resolve("pods.csv");
        assertTrue(String.valueOf(assertThrows(InputException.class, () -> TraceFile.write(file, pods.jobs()))
                        .getMessage())
                .contains("never ends"));
        assertFalse(Files.exists(file));
    }
}
