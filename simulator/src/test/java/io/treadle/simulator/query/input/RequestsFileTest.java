// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.query.WorkflowGraph;
import io.treadle.simulator.input.InputException;
import io.treadle.simulator.query.engine.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestsFileTest {
    private static final List<WorkflowGraph> GRAPHS = PublishedWorkflows.all();

    private final Path file;

    RequestsFileTest(@TempDir Path directory) {
        file = directory.resolve("requests.csv");
    }

    private List<Request> read(String text) throws IOException {
        Files.writeString(file, text);
        return RequestsFile.read(file, GRAPHS, Mix.even(GRAPHS), 5, 7);
    }

    private void refused(String text, String expected) {
        assertEquals(
                file + expected,
                assertThrows(InputException.class, () -> read(text)).getMessage());
    }

    @Test
    void readsTypesByPlaceOrByNameInOrderOfArrival() throws IOException {
        List<Request> byPlace = read("job_id,job_type,arrival_ms,ingress_worker\n7,2,5.5,4\n8,0,1,1\n");
        assertEquals(List.of("8", "7"), byPlace.stream().map(Request::id).toList());
        assertEquals("img_to_sound", byPlace.get(1).graph().name());
        assertEquals(4, byPlace.get(1).ingress());
        assertEquals(5.5, byPlace.get(1).arrivalMs());
        List<Request> byName = read("job_id,workflow,arrival_ms\na,question_answer,3\n");
        assertEquals("question_answer", byName.get(0).graph().name());
        assertTrue(byName.get(0).ingress() >= 0 && byName.get(0).ingress() < 5);
    }

    @Test
    void readsWhenRequestsComeFromAzuresTraces() throws IOException {
        String text = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n"
                + "2023-11-16 18:15:50.9951690,396,109\n";
        List<Request> requests = read(text);
        assertEquals(0, requests.get(0).arrivalMs());
        assertEquals(4315, requests.get(1).arrivalMs(), 1);
        assertEquals(requests, read(text));
    }

    /** As the traces come: packed, not in order, and with times on both sides of midnight. */
    @Test
    void azuresTracesMayBePackedAndCountFromTheFirstThatCame() throws IOException {
        Path packed = file.resolveSibling("trace.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-17 00:00:00.2500000,374,44\n"
                            + "2023-11-16 23:59:59.5000000,396,109\n2023-11-17 00:00:01.0000000,879,55\n")
                    .getBytes(UTF_8));
        }
        Mix one = Mix.of(GRAPHS, Map.of("translation", 1.0));
        List<Request> requests = RequestsFile.read(packed, GRAPHS, one, 5, 7);
        assertEquals(
                List.of(0.0, 750.0, 1500.0),
                requests.stream().map(Request::arrivalMs).toList());
        assertEquals(List.of("1", "0", "2"), requests.stream().map(Request::id).toList());
        assertTrue(requests.stream().allMatch(each -> each.graph().name().equals("translation")));
    }

    @Test
    void saysWhatIsWrong() {
        refused("job_id,job_type,arrival_ms\n", " holds no requests, must hold one or more.");
        refused(
                "a,b\n1,2\n",
                " has the columns a, b, must have job_id, arrival_ms and job_type or workflow, or TIMESTAMP as Azure's"
                        + " traces do.");
        refused(
                "job_id,job_type,arrival_ms\n1,4,0\n",
                ", row 2, column 'job_type': is '4', must be a whole number from 0 to 3.");
        refused(
                "job_id,job_type,arrival_ms\n1,0,-1\n",
                ", row 2, column 'arrival_ms': is '-1', must be a number from 0 to 10000000000000.");
        refused(
                "job_id,job_type,arrival_ms\n1,0,0\n1,0,1\n",
                ", row 3, column 'job_id': is '1', must be an id that no row before it has.");
        refused(
                "job_id,workflow,arrival_ms\n1,chat,0\n",
                ", row 2, column 'workflow': is 'chat', must be a workflow: translation, question_answer, img_to_sound, ImageObjDetect.");
    }

    @Test
    void arrivalsMoveTogetherToTheRateThatIsAsked() throws IOException {
        List<Request> requests = Rate.scale(read("job_id,job_type,arrival_ms\n1,0,0\n2,0,100\n3,1,4000\n"), 2);
        assertEquals(
                List.of(0.0, 25.0, 1000.0),
                requests.stream().map(Request::arrivalMs).toList());
        List<Request> atOnce = read("job_id,job_type,arrival_ms\n1,0,5\n2,0,5\n");
        assertThrows(InputException.class, () -> Rate.scale(atOnce, 2));
    }

    @Test
    void aMixIsKeptOnAverageAndPoissonHasItsRate() {
        Mix mix = Mix.of(GRAPHS, Map.of("translation", 3.0, "question_answer", 1.0));
        List<Request> requests = PoissonRequests.draw(mix, 4, 20_000, 5, 11);
        Map<String, Long> counts = requests.stream()
                .collect(Collectors.groupingBy(each -> each.graph().name(), Collectors.counting()));
        assertEquals(2, counts.size());
        // Within four standard deviations.
        assertEquals(15_000, counts.getOrDefault("translation", 0L), 4 * Math.sqrt(20_000 * 0.75 * 0.25));
        assertEquals(4, Rate.perSecond(requests), 4 * 4 / Math.sqrt(20_000));
        assertThrows(InputException.class, () -> Mix.of(GRAPHS, Map.of("chat", 1.0)));
        assertThrows(InputException.class, () -> Mix.of(GRAPHS, Map.of("translation", 0.0)));
        assertThrows(InputException.class, () -> Mix.of(GRAPHS, Map.of("translation", Double.NaN)));
    }
}
