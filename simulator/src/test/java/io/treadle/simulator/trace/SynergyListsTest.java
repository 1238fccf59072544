// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.simulator.cluster.ClusterReader;
import io.treadle.simulator.cluster.SimCluster;
import io.treadle.simulator.input.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of Synergy's jobs that others have made. */
class SynergyListsTest {
    private static final String HEAD = "job_id,model,arrival_s,total_iterations,gpus\n";
    private static final String LONG_HEAD = "job_id,arrival_s,gpus,model,task,total_iterations,iter_time_s,"
            + "fair_duration_s,batch_per_gpu,cpu_demand,mem_demand_gb,sspeed_demand,speedup_ideal\n";
    private static final String SKIP = "--skip-bad-rows";

    private final SimCluster cluster = ClusterReader.read("synergy-128");
    private final Path file;

    SynergyListsTest(@TempDir Path directory) {
        file = directory.resolve("list.csv");
    }

    private List<TraceJob> jobs(String text) throws IOException {
        Files.writeString(file, text);
        return Traces.read("synergy", file, cluster);
    }

    private String error() {
        return String.valueOf(assertThrows(InputException.class, () -> Traces.read("synergy", file, cluster, false))
                .getMessage());
    }

    private String error(String text) throws IOException {
        Files.writeString(file, text);
        return error();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                HEAD + "7,alexnet,10.5,1000,2\n3,gnmt,0,5000,1\n",
                "7,alexnet,10.5,1000,2\n3,gnmt,0,5000,1",
                "gpus,MODEL,job_id,total_iterations,arrival_s,note\n2,alexnet,7,1e3,10.5,a\n\n1,gnmt,3,5000,0,\n",
                LONG_HEAD + "7,10.5,2,alexnet,IMAGE,1000,0.6,600.0,512,12,125.0,62.5,2.94\n"
                        + "3,0,1,gnmt,LANG,5000,0.12,600.0,128,1,20,62.5,1\n"
            })
    void plainAndLongListsAreTheSameJobsWhateverTheirEditor(String text) throws IOException {
        List<TraceJob> jobs = jobs(text);
        for (String other :
                List.of("\uFEFF" + text, text.replace("\n", "\r\n"), "\uFEFF" + text.replace("\n", "\r\n"))) {
            assertEquals(jobs, jobs(other));
        }
        assertEquals(List.of("3", "7"), jobs.stream().map(TraceJob::id).toList(), "by arrival");
        assertEquals(10_500, jobs.get(1).submitMs());
        assertEquals(new Work(1000, .6), jobs.get(1).work());
        assertEquals(new Work(5000, .12), jobs.get(0).work());
        assertEquals(2, jobs.get(1).gpus());
    }

    /** The artifact's tables for servers of 4 CPUs per GPU say 0.48 s for alexnet: what takes 600 s at the share is 1,250. */
    @Test
    void theListSaysHowLongAnIterationTakesAtTheShare() throws IOException {
        assertEquals(
                600,
                jobs(LONG_HEAD + "0,0,1,alexnet,IMAGE,1250,0.48,600,512,12,125.0,62.5,2.352\n")
                        .get(0)
                        .work()
                        .seconds());
        assertEquals(
                .6,
                jobs(LONG_HEAD + "0,0,1,alexnet,IMAGE,1250,,600,512,12,125.0,62.5,2.352\n")
                        .get(0)
                        .work()
                        .secondsPerSample(),
                "the zoo's where it says nothing");
        assertTrue(error(LONG_HEAD + "0,0,1,alexnet,IMAGE,1250,NaN,600,512,12,125.0,62.5,2.94\n")
                .contains("row 2, column 'iter_time_s': is 'NaN', must be a number from 1.0E-6 to 1000000"));
        assertTrue(error(LONG_HEAD + "0,0,1,alexnet,IMAGE,1250,0,600,512,12,125.0,62.5,2.94\n")
                .contains("column 'iter_time_s': is '0'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,resnet18,0,10,1 | column 'model': is 'resnet18', must be one of alexnet, deepspeech, gnmt, lstm,",
                "0,,0,10,1 | column 'model': is '', must be a value",
                "0,alexnet,-5,10,1 | column 'arrival_s': is '-5', must be a number from 0 to 10000000000000",
                "0,alexnet,nan,10,1 | column 'arrival_s': is 'nan', must be a number",
                "0,alexnet,2026-01-01,10,1 | column 'arrival_s': is '2026-01-01', must be a number",
                "0,alexnet,0,NaN,1 | column 'total_iterations': is 'NaN', must be a whole number from 0",
                "0,alexnet,0,-10,1 | column 'total_iterations': is '-10', must be a whole number from 0",
                "0,alexnet,0,10.5,1 | column 'total_iterations': is '10.5', must be a whole number from 0",
                "0,alexnet,0,1e300,1 | column 'total_iterations': is '1e300', must be a whole number from 0",
                "0,alexnet,0,1e15,1 | is '1e15', must be no more than 10000000000000 s of work, at 0.6 s for one",
                "0,alexnet,0,10,1.5 | column 'gpus': is '1.5', must be a whole number from 0 to 100000",
                "0,alexnet,0,10,-1 | column 'gpus': is '-1', must be a whole number",
                "0,alexnet,0,10,999999 | column 'gpus': is '999999', must be a whole number",
                "0,alexnet,0,10 | column 'gpus': is '', must be a value",
                "0,alexnet,0,10,1,8 | is '6 values', must be one for each of the 5 columns"
            })
    void namesRowColumnValueAndWhatWouldBeRight(String row, String why) throws IOException {
        String message = error(HEAD + "1,gnmt,0,10,1\n" + row + "\n");
        assertTrue(message.startsWith(file + ", row 3") && message.contains(why), message);
        assertTrue(message.contains(SKIP), message);
        Trace without = Traces.read("synergy", file, cluster, true);
        assertEquals(List.of("1"), without.jobs().stream().map(TraceJob::id).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1,AlexNet,0,1000,1 | row 1, column 'model': is 'AlexNet', must be one of alexnet, deepspeech,",
                "1,,0.5,1e3,1 | row 1, column 'model': is '', must be a value",
                "one,alexnet,0,x,1 | row 1, column 'total_iterations': is 'x', must be a whole number"
            })
    void theFirstRowOfAListWithoutAHeaderIsHeldToTheSame(String row, String why) throws IOException {
        String message = error(row + "\n2,gnmt,0,10,1\n");
        assertTrue(message.startsWith(file + ", " + why), message);
    }

    @Test
    void anIdStandsOnce() throws IOException {
        assertTrue(error(HEAD + "4,alexnet,0,10,1\n5,gnmt,0,10,1\n4,gnmt,9,10,1\n")
                .contains("row 4, column 'job_id': is '4', must be named once"));
    }

    /** To leave out rows would leave out all of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "job_id,model,arrival_s,total_iterations | 0,alexnet,0,10 | no column 'gpus', its columns are job_id,"
                        + " model,",
                "job_id,arrival_s,total_iterations,gpus | 0,0,10,1 | has no column 'model'",
                "job_id,model,arrival_h,total_iterations,gpus | 0,alexnet,0,10,1 | has no column 'arrival_s'",
                "job_id;model;arrival_s;total_iterations;gpus | 0;alexnet;0;10;1 | its columns are"
                        + " job_id;model;arrival_s;",
                "job_id,model,model,arrival_s,total_iterations,gpus | 0,gnmt,m5,0,10,1 | the column 'model' more than"
                        + " once"
            })
    void columnsThatCannotBeUsedEndIt(String head, String row, String why) throws IOException {
        String message = error(head + "\n" + row + "\n");
        assertTrue(message.contains(why), message);
        assertFalse(message.contains(SKIP), message);
        assertTrue(assertThrows(InputException.class, () -> Traces.read("synergy", file, cluster, true))
                .toString()
                .contains(why));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u007fELF\u0002\u0001\u0001\u0000\u0000", "job_id,model\u0000,arrival_s\n0,alexnet,0\n"})
    void filesThatAreNoTextAreNamedSoWhateverTheirFormat(String bytes) throws IOException {
        String expected = file + " is no text, must be text in UTF-8, plain or packed with gzip.";
        assertEquals(expected, error(bytes));
        for (String format : List.of("auto", "sacct", "philly")) {
            assertEquals(
                    expected,
                    assertThrows(InputException.class, () -> Traces.read(format, file, cluster, true))
                            .getMessage());
        }
        assertEquals(
                expected,
                assertThrows(InputException.class, () -> ClusterReader.read(file.toString()))
                        .getMessage());
    }

    /** What would move a terminal's cursor or change its colours is shown, not done. */
    @Test
    void messagesAreShortAndPrintable() throws IOException {
        assertEquals(
                file + " has no column 'model', its columns are job\\x1b[31m_id, mo\\x9bdel.",
                error("job\u001b[31m_id,mo\u009bdel\n0,alexnet\n"));
        assertEquals(
                file + " has no column 'model', its columns are a" + "\\x1b".repeat(199) + "….",
                error("a" + "\u001b".repeat(5000) + "b\n0\n"));
        assertTrue(error(HEAD + "1,alex\bnet,0,10,1\n").contains("column 'model': is 'alex\\x08net', must be"));
    }

    @Test
    void brokenQuotesAndPackedFilesThatAreCutOff() throws IOException {
        assertTrue(error(HEAD + "0,\"alexnet,0,10,1\n1,gnmt,0,10,1\n").contains("Maybe a double quote is not closed"));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(HEAD.getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 2000; i++) {
                out.write((i + ",alexnet," + i * 37 % 1000 + ",10,1\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        for (int kept : List.of(5, packed.size() / 2, packed.size() - 4)) {
            Files.write(file, Arrays.copyOf(packed.toByteArray(), kept));
            assertEquals(
                    file + " is cut off: it begins as gzip does and ends too early.\nMaybe copy it again.", error());
        }
    }
}
