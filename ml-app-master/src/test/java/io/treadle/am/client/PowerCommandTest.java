// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerCommandTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<String> calls = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private ObjectNode answer = json(
            """
            {"cluster":{"watts":2400.0,"budgetWatts":3200.0,"peakWatts":3600.0,"idleWatts":900.0,"joules":7200000.0,
              "idleJoules":3600.0,"warnings":["The smaller one counts."]},
             "nodes":[{"node":"n1:45454","watts":1600.0,"source":"rapl","gpus":[
               {"uuid":"GPU-0","watts":240.0,"effectiveCapWatts":250.0,"wantedCapWatts":250.0,"limitWatts":400.0,"trouble":""},
               {"uuid":"GPU-1","watts":390.0,"effectiveCapWatts":400.0,"wantedCapWatts":300.0,"limitWatts":400.0,"trouble":"NVML 4"}]}],
             "queues":[{"queue":"root.ml","watts":630.0,"budgetWatts":null,"joules":1800.0,"jobs":2}],
             "users":[],"jobs":[],"history":[]}
            """);

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode call(String method, String path, Optional<String> body) {
        calls.add(method + " " + path + body.map(b -> " " + b).orElse(""));
        return answer;
    }

    private String run(boolean unicode, String... words) throws InterruptedException {
        Console console = new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);
        Arguments arguments = Arguments.parse(PowerCommand.GRAMMAR, List.of(words));
        assertEquals(Cli.OK, new PowerCommand(this::call, console, unicode).run(arguments));
        return out.toString(UTF_8).replace(System.lineSeparator(), "\n");
    }

    @Test
    void drawAgainstBudgetByQueueAndNode() throws Exception {
        assertEquals(
                """
                cluster  [##################......] 2,400 W of a budget of 3,200 W
                energy   2.0 kWh of all GPUs, 1.0 Wh of it while nobody held them
                The smaller one counts.

                queue                                  draw     budget     energy  jobs
                root.ml                               630 W       none     1800 J     2

                node                                   draw known by       GPUs  caps in force; trouble
                n1:45454                            1,600 W     rapl      630 W  GPU 0 at 250 W; GPU 1 wants 300 W: NVML 4
                """,
                run(false));
        assertEquals(List.of("GET power?history=hour"), calls);
    }

    @Test
    void lastHourIsALine() throws Exception {
        ArrayNode history = answer.putArray("history");
        for (int i = 0; i < 360; i++) {
            history.addObject().put("watts", i < 180 ? 1200.0 : 2400.0);
        }
        String text = run(true);
        assertTrue(text.contains("an hour  " + "▅".repeat(30) + "█".repeat(30) + " at most 2,400 W\n"), text);
        assertTrue(text.contains("[██████████████████······]"), text);
    }

    @Test
    void energyBudgetsSayWhatWasUsedUntilWhenAndWhatThatComesTo() throws Exception {
        ((ObjectNode) answer.path("cluster"))
                .set(
                        "energyBudget",
                        json("{\"words\":\"8000 g of CO2 an hour\",\"usedJoules\":1.0,\"allowedJoules\":null,"
                                + "\"limitWatts\":2000.0,\"windowEndMs\":null}"));
        ((ObjectNode) answer.at("/queues/0"))
                .set(
                        "energyBudget",
                        json("{\"words\":\"24 kWh in each day\",\"usedJoules\":7000000.0,\"allowedJoules\":8.64E7,"
                                + "\"limitWatts\":1250.0,\"windowEndMs\":86400000}"));
        String text = run(false);
        assertTrue(text.contains("budget   8000 g of CO2 an hour, 2,000 W now\n"), text);
        assertTrue(
                text.contains("  24 kWh in each day, 1.9 kWh used, until 1970-01-02 00:00 UTC, 1,250 W now\n"), text);
    }

    @Test
    void hostsThatAreOffAreNamed() throws Exception {
        answer.putArray("asleep")
                .addObject()
                .put("node", "n7")
                .put("stage", "off")
                .put("words", "is off")
                .put("sinceMs", 86_400_000);
        String text = run(false);
        assertTrue(text.contains("n7 is off since 1970-01-02 00:00 UTC\n"), text);
    }

    @Test
    void withoutBudgetAndNodes() throws Exception {
        ((ObjectNode) answer.path("cluster")).putNull("budgetWatts");
        answer.putArray("nodes");
        String text = run(false);
        assertTrue(text.contains("2,400 W of at most 3,600 W"), text);
        assertTrue(text.contains("no node says what it draws"), text);
    }

    @Test
    void jsonIsTheResourceManagersOwn() throws Exception {
        assertEquals(answer, MAPPER.readTree(run(false, "--json")));
        assertEquals(List.of("GET power"), calls);
    }

    @Test
    void budgetsAreSet() throws Exception {
        answer = json("{\"budgetWatts\":2800.0,\"kept\":false,\"warnings\":[\"Too little.\"]}");
        run(false, "set", "--cluster", "--watts", "2500");
        run(false, "set", "--queue", "root.ml", "--watts", "none");
        run(false, "set", "--queue=root.ml", "--watts=setting");
        run(false, "set", "--queue", "root.ml", "--budget", "500 kWh/day");
        assertEquals(
                List.of(
                        "PUT power/budget {\"cluster\":true,\"watts\":2500.0}",
                        "PUT power/budget {\"queue\":\"root.ml\",\"watts\":null}",
                        "PUT power/budget {\"queue\":\"root.ml\",\"watts\":\"setting\"}",
                        "PUT power/budget {\"queue\":\"root.ml\",\"budget\":\"500 kWh/day\"}"),
                calls);
        assertTrue(
                err.toString(UTF_8).startsWith("the power budget of the cluster is now 2,800 W"), err.toString(UTF_8));
        assertTrue(err.toString(UTF_8).contains("gone with the ResourceManager"), err.toString(UTF_8));
        assertTrue(err.toString(UTF_8).contains("Too little."), err.toString(UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "show | must be given nothing or 'set'",
                "set --watts 5 | either --queue",
                "set --cluster --queue root.a --watts 5 | either --queue",
                "set --cluster | needs --watts",
                "set --cluster --watts 12kW | '12kW'",
                "set --cluster --watts 5 --json | --json means nothing",
                "--watts 5 | --watts means nothing",
                "--json --watch | must be one of them",
            })
    void whatMeansNothingIsRefused(String line, String part) {
        String message = String.valueOf(assertThrows(UsageException.class, () -> run(false, line.split(" ")))
                .getMessage());
        assertTrue(message.contains(part), message);
        assertEquals(List.of(), calls);
    }
}
