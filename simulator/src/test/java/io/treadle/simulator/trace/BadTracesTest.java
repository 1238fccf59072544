// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.input.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are told of files that cannot be used. */
class BadTracesTest {
    private static final String HEADER = "job_id,queue,submit_s,gpus,duration_s\n";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("t.csv"), text);
    }

    private static String error(String format, Path file) {
        return String.valueOf(
                assertThrows(InputException.class, () -> Traces.read(format, file, Fixtures.eights(), false))
                        .getMessage());
    }

    @Test
    void namesFileRowColumnValueAndWhatWasExpected() throws IOException {
        Path file = file("# a comment\n" + HEADER + "a,q,0,1,10\nb,q,0,eight,10\n");
        assertEquals(
                file + ", row 4, column 'gpus': is 'eight', must be a whole number from 0 to 1000000.\n"
                        + "Maybe leave such rows out: --skip-bad-rows.",
                error("auto", file));
    }

    @Test
    void anIdIsNoNumberAndNumbersAreDecimal() throws IOException {
        for (String gpus : List.of("0x8", "8f", "NaN", "1e400", "-1", "1.5", "Infinity")) {
            assertTrue(
                    error("auto", file(HEADER + "6214e9,q,0," + gpus + ",10\n")).contains("'" + gpus + "'"), gpus);
        }
    }

    @Test
    void namesWhatIsWrongWithPrioritiesDeadlinesAndStates() throws IOException {
        String header = "job_id,submit_s,gpus,duration_s,priority,deadline_s,state\n";
        assertTrue(error("auto", file(header + "a,5,1,10,high,,\n"))
                .contains("column 'priority': is 'high', must be a whole number from 0 to 1000000000"));
        assertTrue(error("auto", file(header + "a,5,1,10,,4,\n"))
                .contains("column 'deadline_s': is '4', must be a time in seconds since the trace's zero, not before"));
        assertTrue(error("auto", file(header + "a,5,1,10,,,gone\n"))
                .contains("column 'state': is 'gone', must be one of completed, failed, killed, or empty"));
    }

    @Test
    void namesWhatIsWrongWithElasticJobs() throws IOException {
        String header = "job_id,submit_s,gpus,duration_s,min_tasks,max_tasks,scaling\n";
        assertTrue(error("auto", file(header + "a,5,4,10,3,4,\n"))
                .contains("column 'gpus': is '4', must be a multiple of the job's least tasks, 3"));
        assertTrue(error("auto", file(header + "a,5,4,10,4,2,\n"))
                .contains("column 'max_tasks': is '2', must be a whole number from 4 to 100000"));
        assertTrue(error("auto", file(header + "a,5,32,10,2,4,\n"))
                .contains("column 'gpus': is '32', must be as many as 2 nodes of the cluster have at most"));
        assertTrue(error("auto", file(header + "a,5,4,10,1,4,1.5\n"))
                .contains("column 'scaling': is '1.5', must be a number from 0 to 1"));
    }

    @Test
    void namesWhatIsWrongWithWhatJobsRead() throws IOException {
        String header =
                "job_id,submit_s,gpus,duration_s,storage_mbps,vcore_speeds,dataset_mib,epochs,working_mib,cacheable\n";
        assertTrue(error("auto", file(header + "a,5,1,10,2e9,,,,,\n"))
                .contains("column 'storage_mbps': is '2e9', must be a whole number from 0 to 10000000"));
        for (String points : List.of("3", "1:x", "1:1|1:2", "2:1|1:2", "1:1|2:0.5", "0:1", "1:0", "1:NaN", "1:1|")) {
            assertTrue(
                    error("auto", file(header + "a,5,1,10,," + points + ",,,,\n"))
                            .contains("column 'vcore_speeds': is '" + points + "', must be at most 100 points such as"
                                    + " 1:0.4|3:1|6:1.5"),
                    points);
        }
        for (String size : List.of("-1", "0", "NaN", "1e300", "5Gi")) {
            assertTrue(
                    error("auto", file(header + "a,5,1,10,,," + size + ",,,\n"))
                            .contains("column 'dataset_mib': is '" + size + "', must be a number from 0.001 to"),
                    size);
        }
        assertTrue(error("auto", file(header + "a,5,1,10,,,10,0,,\n")).contains("column 'epochs': is '0', must be"));
        assertTrue(error("auto", file(header + "a,5,1,10,,,10,,0.5,\n"))
                .contains("column 'working_mib': is '0.5', must be a whole number from 0 to"));
        assertTrue(error("auto", file(header + "a,5,1,10,,,10,,,1.5\n"))
                .contains("column 'cacheable': is '1.5', must be a number from 0 to 1"));
        assertTrue(error("auto", file(header + "a,5,1,10,,,,3,,\n"))
                .contains("column 'epochs': is '3', must be empty where dataset_mib is: nothing is read"));
        assertTrue(error("auto", file("job_id,submit_s,gpus,duration_s,min_tasks,dataset_mib\na,5,1,10,1,10\n"))
                .contains("must be one or the other"));
    }

    @Test
    void countsBadRowsAndShowsTheFirstThree() throws IOException {
        Path file = file(HEADER + "a,q,0,1,10\nb,q,x,1,10\nc,q,0,1,y\na,q,5,1,10\nd,q\ne,q,1,2,5\n");
        Trace trace = Traces.read("auto", file, Fixtures.eights(), true);
        assertEquals(List.of("a", "e"), trace.jobs().stream().map(TraceJob::id).toList());
        assertEquals(
                "4 bad rows of " + file + " skipped, the first three:",
                trace.skipped().get(0));
        assertEquals(4, trace.skipped().size());
        assertTrue(trace.skipped().get(3).contains("row 5, column 'job_id': is 'a', must be named once"));
    }

    @Test
    void nothingToSimulateIsAnError() throws IOException {
        Path file = file(HEADER + "a,q,0,0,10\nb,q,0,1,0\n");
        assertEquals(
                file + " holds no job that can be simulated, read as treadle.\n1 jobs without GPUs left out\n"
                        + "1 jobs that did not run left out",
                error("auto", file));
        assertTrue(error("auto", file(HEADER)).contains("holds no job"));
        assertTrue(error("auto", file("")).contains("no trace that is known"));
    }

    @Test
    void saysWhatFormatsThereAre() throws IOException {
        assertTrue(error("auto", file("x,y\n1,2\n")).contains("its first row is 'x,y'"));
        assertTrue(error("csv", file(HEADER)).contains("--format is 'csv', must be auto or one of acme,"));
        assertTrue(error("helios", file(HEADER + "a,q,0,1,10\n")).contains("has no column 'gpu_num'"));
    }

    @Test
    void polluxSaysWhatIsMissing() throws IOException {
        Path file = file("name,time,application,num_replicas,batch_size\nn,0,net,1,32\n");
        assertTrue(error("auto", file).contains("has no column 'duration': workloads of Pollux and Sia"));
    }

    @Test
    void gavelWantsItsTable() throws IOException {
        Path file = file("job_type,total_steps,arrival_s,scale_factor\nNet,10,0,1\n");
        assertTrue(error("auto", file).contains("there is no table of their speeds"));
    }

    @Test
    void laterVersionsOfOurFormatAreRefused() throws IOException {
        assertTrue(error("auto", file("# treadle-trace 2\n" + HEADER + "a,q,0,1,10\n"))
                .contains("is version '2'"));
    }

    @Test
    void brokenJsonAndGzip() throws IOException {
        Path json = directory.resolve("j");
        Files.writeString(json, "[{\"jobid\": \"a\", \"attempts\": 3}]");
        assertTrue(error("auto", json).contains("job 1 (a), 'attempts': is '3', must be a list"));
        Files.writeString(json, "[{\"jobid\": \"a\"\n, oops");
        assertTrue(error("auto", json).contains("line 2: is no JSON"));
        Path cut = directory.resolve("t.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(cut))) {
            out.write((HEADER + "a,q,0,1,10\n").repeat(1000).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        byte[] bytes = Files.readAllBytes(cut);
        Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length - 12));
        assertTrue(error("auto", cut).contains(cut.toString()));
    }
}
