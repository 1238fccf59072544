// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.client.FakeService.Answer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real HTTP to a service of the test's own; between two attempts no time passes but the test's. */
@Timeout(300)
class QueryCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ID = FakeGateway.ID.toString();
    private static final String[] QUERY = {ID, "twice", "--input", "x=[[1, 2.5]]", "--input", "n=3"};

    private final FakeService service = new FakeService();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Long> sleeps = new ArrayList<>();
    private Supplier<Endpoint> finding = service::endpoint;
    private Runnable onSleep = () -> {};
    private String in = "";
    private long nowMs = 5000;

    @AfterEach
    void close() {
        service.close();
    }

    private int run(String... words) throws InterruptedException {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        InferClient.Time time = new InferClient.Time() {
            @Override
            public long nowMs() {
                return nowMs;
            }

            @Override
            public void sleep(long ms) {
                sleeps.add(ms);
                nowMs += ms;
                onSleep.run();
            }
        };
        return new QueryCommand(console, new ByteArrayInputStream(in.getBytes(UTF_8)), time)
                .run(QueryRequest.of(Arguments.parse(QueryRequest.GRAMMAR, List.of(words))), () -> finding.get());
    }

    private String refusal(String... words) {
        return assertThrows(ClientException.class, () -> run(words)).getMessage();
    }

    private static String[] and(String[] words, String... more) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void asksAndPrintsALineForEachOutput() throws Exception {
        assertEquals(Cli.OK, run(QUERY));
        assertEquals("y FP32[2, 2] [2.5 4] [6 null]\nmask BOOL[] true\n", out.toString(UTF_8));
        assertEquals("", err.toString(UTF_8));
        FakeService.Asked query = service.asked.get(1);
        assertEquals("30000", query.deadline());
        assertEquals(
                JSON.readTree(
                        "{\"inputs\": [{\"name\": \"x\", \"datatype\": \"FP32\", \"shape\": [1, 2], \"data\": [1, 2.5]},"
                                + " {\"name\": \"n\", \"datatype\": \"INT64\", \"shape\": [], \"data\": [3]}]}"),
                JSON.readTree(query.body()));
    }

    /** One of its workers is gone, one leaves: the next one answers, whichever comes first. */
    @Test
    void anotherIngressIsAskedWhereOneDoesNotAnswer() throws Exception {
        FakeService gone = new FakeService();
        gone.close();
        try (FakeService leaving = new FakeService();
                FakeService peer = new FakeService()) {
            leaving.answers.add(FakeService.Answer.later(503, "1"));
            service.others.addAll(List.of(gone.url(), leaving.url()));
            service.others.add(peer.url());
            finding = new Ingresses(service::endpoint, Duration.ofMinutes(1));
            assertEquals(Cli.OK, run(ID, "twice", "--data", "-", "--json"));
            assertEquals(1, peer.asked.size() + (leaving.answers.isEmpty() ? leaving.asked.size() - 1 : 0));
            assertTrue(sleeps.size() <= 2, sleeps::toString);
        }
    }

    @Test
    void outputsAndTheDeadlineAreTheCallers() throws Exception {
        assertEquals(Cli.OK, run(and(QUERY, "--output", "y", "--output=y", "--deadline-ms", "500")));
        FakeService.Asked query = service.asked.get(1);
        assertEquals("500", query.deadline());
        assertEquals(
                JSON.readTree("[{\"name\": \"y\"}]"),
                JSON.readTree(query.body()).path("outputs"));
    }

    @Test
    void inputsComeFromFiles(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("x.json"), "[[1, 2], [3, 4], [5, 6]]");
        assertEquals(Cli.OK, run(ID, "twice", "--input", "n=1", "--input", "x=@" + file));
        assertEquals(
                JSON.readTree("[3, 2]"),
                JSON.readTree(service.asked.get(1).body()).at("/inputs/0/shape"));
        Files.writeString(file, "[[1,");
        String message = refusal(ID, "twice", "--input", "n=1", "--input", "x=@" + file);
        assertTrue(message.startsWith("input 'x' is '@/"), message);
        assertTrue(message.contains("', must be a file with a number or nested lists of numbers in JSON: "), message);
        assertEquals(
                "there is no file '/no/such', must hold a query of at most 16777216 bytes",
                refusal(ID, "twice", "--input", "n=1", "--input", "x=@/no/such"));
    }

    @Test
    void wholeQueriesGoAsTheyAre(@TempDir Path directory) throws Exception {
        in = "{\"inputs\": []}";
        assertEquals(Cli.OK, run(ID, "twice", "--data", "-"));
        Path file = Files.writeString(directory.resolve("query.json"), "not even JSON");
        assertEquals(Cli.OK, run(ID, "twice", "--data", file.toString(), "--json"));
        assertEquals(
                List.of(in, "not even JSON"),
                service.asked.stream().map(FakeService.Asked::body).toList());
        assertTrue(out.toString(UTF_8).endsWith(FakeService.ANSWER + "\n"), "as it came");
        Files.write(file, new byte[InferClient.MOST_BYTES + 1]);
        assertEquals(
                "'" + file + "' has more than 16777216 bytes, must hold a query of at most 16777216 bytes",
                refusal(ID, "twice", "--data", file.toString()));
    }

    @Test
    void saysWhatCanBeAsked() throws Exception {
        assertEquals(Cli.OK, run(ID));
        assertEquals("twice\n  input   x FP32[any, 2]\n  output  y\n  output  mask\nnone\n", out.toString(UTF_8));
        out.reset();
        assertEquals(Cli.OK, run(ID, "twice"));
        assertEquals(
                "twice\n  input   x FP32[any, 2]\n  input   n INT64[]\n  output  y\n  output  mask\n",
                out.toString(UTF_8));
        out.reset();
        assertEquals(Cli.OK, run(ID, "--json"));
        assertEquals(FakeService.OPEN_API + "\n", out.toString(UTF_8));
    }

    @Test
    void workflowsAreFoundByAnyName() {
        assertEquals("the service refuses (404): there is nothing at /v2/models/a%2Fb%20c", refusal(ID, "a/b c"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x=[[1, 2] | input 'x' is '[[1, 2]', must be a number or nested lists of numbers in JSON: Unexpected end",
                "x= | input 'x' is '', must be a number or nested lists of numbers in JSON: it is empty",
                "x=[[1, 2]] 3 | must be a number or nested lists of numbers in JSON: Trailing token",
                "x=abc | --input 'x=[[1, 2]]', or name a file: --input x=@FILE.",
                "x=[[1, 2], [3]] | input 'x' is ragged: x[1] is a list of 1, must be a list of 2 as its neighbours are",
                "x=[[1, 2], 3] | input 'x' is ragged: x[1] is 3, must be a list of 2",
                "x=[[1, [2]]] | input 'x' is ragged: x[0][1] is a list of 1, must be a single value",
                "x=[[1, null]] | x[0][1] is null, must be a number, for 'x' is FP32[any, 2]",
                "x=[[true, 2]] | x[0][0] is true, must be a number, for 'x' is FP32[any, 2]",
                "x=[[1, \"2\"]] | x[0][1] is \"2\", must be a number, for 'x' is FP32[any, 2]",
                "x={} | x is {}, must be a number, for 'x' is FP32[any, 2]",
                "x=[1, 2] | input 'x' has the shape [2], must be [any, 2].\\nMaybe it lacks a pair of brackets",
                "x=[[1, 2, 3]] | input 'x' has the shape [1, 3], must be [any, 2]",
                "x=5 | input 'x' has the shape [], must be [any, 2]",
                "N=5 | 'twice' has no input 'N', must be one of x FP32[any, 2], n INT64[].\\nMaybe 'n'.",
                "image=5 | 'twice' has no input 'image', must be one of x FP32[any, 2], n INT64[]",
            })
    void wrongInputsAreNamedBeforeAnythingIsAsked(String input, String part) {
        String message = refusal(ID, "twice", "--input", "n=3", "--input", input);
        assertTrue(message.contains(part.replace("\\n", "\n")), message);
        assertEquals(1, service.asked.size());
    }

    @Test
    void inputsThatAreMissingOrOfAnotherTypeAreNamed() {
        assertEquals(
                "'twice' is not given the input n INT64[], must be given x FP32[any, 2], n INT64[]",
                refusal(ID, "twice", "--input", "x=[[1, 2]]"));
        assertEquals(
                "n is 1.5, must be a whole number, for 'n' is INT64[]",
                refusal(ID, "twice", "--input", "x=[[1, 2]]", "--input", "n=1.5"));
        assertEquals(
                "'twice' has no output 'z', must be one of y, mask.\nMaybe 'y'.", refusal(and(QUERY, "--output", "z")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | the service refuses (400): no such thing",
                "404 | the service refuses (404): no such thing",
                "405 | the service refuses (405): no such thing",
                "413 | the service refuses (413): no such thing",
                "401 | the service does not know the caller (401): no such thing.\\nMaybe --secret-file",
                "302 | the service refuses (302): no such thing",
            })
    void refusalsAreTheServicesOwnWords(int status, String message) {
        service.answers.add(Answer.of(status, "{\"error\": \"no such thing\"}"));
        String said = refusal(QUERY);
        assertTrue(said.startsWith(message.replace("\\n", "\n")), said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500 | the service failed (500): broken",
                "502 | the service failed (502): broken",
                "504 | the service took too long (504): broken.\\nMaybe a longer --deadline-ms than 30000.",
                "503 | the service cannot answer (503): broken",
                "429 | the service is too busy (429): broken",
            })
    void whatFailsHasAnExitCodeOfItsOwnAndIsNotAskedAgain(int status, String message) throws Exception {
        service.answers.add(Answer.of(status, "{\"error\": \"broken\"}"));
        assertEquals(Cli.FAILED, run(QUERY));
        assertEquals("treadle: " + message.replace("\\n", "\n") + "\n", err.toString(UTF_8));
        assertEquals(List.of(), sleeps);
    }

    @Test
    void whatIsNoServiceIsSaidSo() {
        service.answers.add(Answer.of(200, "<html>Welcome</html>"));
        assertTrue(refusal(QUERY).startsWith("the answer is '<html>Welcome</html>', must be a JSON object."));
        service.answers.add(Answer.of(200, "{}"));
        assertTrue(refusal(QUERY).startsWith("the answer has no 'outputs', must be a list of tensors."));
        service.answers.add(Answer.of(200, "{}"));
        assertTrue(refusal(ID).startsWith("the service names no workflow in /openapi.json"));
        service.answers.add(Answer.of(400, "<html>" + "x".repeat(400)));
        assertEquals("the service refuses (400): '<html>" + "x".repeat(294) + "…'", refusal(QUERY));
    }

    @Test
    void whoIsTooBusyIsAskedAgainWhenItSays() throws Exception {
        service.answers.addAll(
                List.of(Answer.later(429, "2"), Answer.later(503, "0"), Answer.of(200, "{\"outputs\":[]}")));
        assertEquals(Cli.OK, run(QUERY));
        assertEquals(List.of(2000L, UnansweredException.SOON_MS), sleeps);
        assertEquals(
                "treadle: the service is too busy (429): no worker is there; asking again until the deadline …\n",
                err.toString(UTF_8));
        assertEquals(
                List.of("null", "30000", "28000", "27500"),
                service.asked.stream().map(FakeService.Asked::deadline).toList());
    }

    @Test
    void theDeadlineEndsTheAsking() throws Exception {
        for (int i = 0; i < 4; i++) {
            service.answers.add(Answer.later(503, "1"));
        }
        assertEquals(Cli.FAILED, run(and(QUERY, "--deadline-ms", "2500")));
        assertEquals(List.of(1000L, 1000L), sleeps);
        assertTrue(
                err.toString(UTF_8)
                        .endsWith("treadle: there is no answer within 2500 ms: the service cannot answer (503):"
                                + " no worker is there\n"),
                err.toString(UTF_8));
    }

    @Test
    void noRetryAsksOnce() throws Exception {
        service.answers.add(Answer.later(503, "1"));
        assertEquals(Cli.FAILED, run(and(QUERY, "--no-retry")));
        assertEquals("treadle: the service cannot answer (503): no worker is there\n", err.toString(UTF_8));
        assertEquals(List.of(), sleeps);
    }

    @Test
    void anApplicationMasterThatIsStartedAgainIsFoundElsewhere() throws Exception {
        FakeService gone = new FakeService();
        gone.close();
        List<String> found = new ArrayList<>();
        finding = () -> {
            found.add("");
            return switch (found.size()) {
                case 1 -> gone.endpoint();
                case 2 -> throw new UnansweredException(ID + " is ACCEPTED", UnansweredException.SOON_MS);
                default -> service.endpoint();
            };
        };
        assertEquals(Cli.OK, run(QUERY));
        assertEquals(3, found.size(), "and once it is found it is not looked up again");
        assertEquals(List.of(500L, 500L), sleeps);
        assertTrue(err.toString(UTF_8).startsWith("treadle: nobody answers at " + gone.url()), err.toString(UTF_8));
    }

    @Test
    void aServiceThatIsOverIsNotWaitedFor() {
        FakeService gone = new FakeService();
        gone.close();
        finding = gone::endpoint;
        onSleep = () -> finding = () -> {
            throw new ClientException(ID + " is KILLED");
        };
        assertEquals(ID + " is KILLED", refusal(QUERY));
        assertEquals(1, sleeps.size());
    }

    @Test
    void lookingTheAddressUpIsNoneOfTheQuerysTime() throws Exception {
        finding = () -> {
            nowMs += 4000;
            return service.endpoint();
        };
        assertEquals(Cli.OK, run(ID, "twice", "--data", "-", "--deadline-ms", "500"));
        assertEquals("500", service.asked.get(0).deadline());
    }

    /** Of each connection it reads a byte, says {@code words} and closes it. */
    private static Thread rude(ServerSocket server, String words) {
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    assertTrue(socket.getInputStream().read() >= 0);
                    socket.getOutputStream().write(words.getBytes(UTF_8));
                } catch (IOException e) {
                    assertTrue(server.isClosed(), e::toString);
                }
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void connectionsThatBreakAreTriedAgain() throws Exception {
        Thread thread;
        try (ServerSocket breaking = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            thread = rude(breaking, "");
            finding = () -> new Endpoint("http://127.0.0.1:" + breaking.getLocalPort(), FakeService.SECRET);
            onSleep = () -> finding = service::endpoint;
            assertEquals(Cli.OK, run(QUERY));
        }
        thread.join();
        assertEquals(1, sleeps.size());
    }

    @Test
    void silenceEndsAfterTheDeadline() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            finding = () -> new Endpoint("http://127.0.0.1:" + silent.getLocalPort(), FakeService.SECRET);
            assertEquals(Cli.FAILED, run(and(QUERY, "--deadline-ms", "1")));
            assertEquals(
                    "treadle: the service at " + finding.get()
                            + " says nothing.\nMaybe a longer --deadline-ms than 1.\n",
                    err.toString(UTF_8));
        }
    }

    @Test
    void hostsThatAreNotKnownAreNotWaitedFor() {
        finding = () -> new Endpoint("http://no-such-host.invalid:1", FakeService.SECRET);
        assertEquals("the host of http://no-such-host.invalid:1 is not known here", refusal(QUERY));
        assertEquals(List.of(), sleeps);
    }

    @Test
    void whoSpeaksNoTlsIsNotWaitedFor() throws Exception {
        Thread thread;
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            thread = rude(plain, "HTTP/1.1 400 Bad Request\r\n\r\n");
            finding = () -> new Endpoint("https://127.0.0.1:" + plain.getLocalPort(), FakeService.SECRET);
            String message = refusal(QUERY);
            assertTrue(message.startsWith("the service at " + finding.get() + " cannot be trusted: "), message);
            assertTrue(message.contains("\nMaybe it is at http:// instead"), message);
        }
        thread.join();
        assertEquals(List.of(), sleeps);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | there is no application id",
                "twice | 'twice' is no application id",
                "ID twice x | must be given one workflow after the application id",
                "--url http://h:1 --secret-file s twice x | must be given one workflow, for --url says which service",
                "--url http://h:1 twice | --url is given without --secret-file",
                "--url h:1 --secret-file s | option --url is given 'h:1', must be the address",
                "--url ftp://h --secret-file s | option --url is given 'ftp://h'",
                "--url http://u:p@h --secret-file s | must be the address of a service without a page",
                "--url http://h/?q=1 --secret-file s | such as http://node7:40123",
                "--url http://[h --secret-file s | option --url is given 'http://[h'",
                "ID --input x=1 | is given no workflow to ask",
                "ID --data f | Maybe 'query application_1700000000000_0001' says which there are",
                "ID twice --input x | option --input is given 'x', must be given NAME=VALUE",
                "ID twice --input =1 | option --input is given '=1'",
                "ID twice --input x=1 --input x=2 | input 'x' is given twice",
                "ID twice --input x=1 --data f | must be one of them",
                "ID twice --data f --output y | option --output means nothing with --data",
                "ID twice --output y | option --output means nothing without --input",
                "ID twice --deadline-ms 0 | '0', must be a whole number of ms from 1 to 60000",
                "ID twice --deadline-ms 60001 | '60001', must be",
                "ID twice --deadline-ms 1s | '1s', must be",
                "ID twice --datum f | unknown option '--datum'",
            })
    void whatMeansNothingIsRefused(String line, String part) {
        String[] words = line.isEmpty() ? new String[0] : line.replace("ID", ID).split(" ");
        String message = assertThrows(UsageException.class, () -> run(words)).getMessage();
        assertTrue(message.contains(part), message);
        assertEquals(List.of(), service.asked);
    }

    @Test
    void secretsNeverShow() {
        assertFalse(service.endpoint().toString().contains(FakeService.SECRET));
        ServiceAddress address = new ServiceAddress("::1", 7, FakeService.SECRET);
        assertEquals("::1:7", address.toString());
        assertEquals("http://[::1]:7", Endpoint.of(address).toString());
        assertEquals("http://h:1/gateway", Endpoint.base("http://h:1/gateway/"));
        assertEquals(
                Map.of(),
                QueryRequest.of(new Arguments(Map.of(), List.of(ID), Optional.empty()))
                        .inputs());
    }
}
