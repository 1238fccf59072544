// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServeFiguresTest {
    private static final String STATUS =
            """
            {"state": "ready", "queriesActive": 4, "workers": [
              {"containerId": "c1", "state": "ready", "queued": 2, "tasks": 30, "loads": 3, "models": ["encoder", "digit"]},
              {"containerId": "c2", "state": "ready", "queued": 1, "tasks": 10, "loads": 7, "models": []},
              {"containerId": "c3", "state": "starting"}]}
            """;

    @Test
    void sumsWhatWorkersSay() {
        ServeFigures figures = ServeFigures.parse(STATUS);
        assertEquals(
                new ServeFigures("ready", 2, 40, 10, 3, List.of(List.of("encoder", "digit"), List.of(), List.of())),
                figures);
        assertEquals(0.75, figures.hitRate());
        assertEquals("encoder digit | – | –", figures.heldInWords());
    }

    @Test
    void whatWasBeforeDoesNotCount() {
        ServeFigures now =
                ServeFigures.parse(STATUS).since(new ServeFigures("ready", 3, 30, 9, 0, List.of(List.of("encoder"))));
        assertEquals(10, now.tasks());
        assertEquals(1, now.loads());
        assertEquals(0.9, now.hitRate());
        assertEquals(3, now.queued());
    }

    @Test
    void aServiceThatSaysNothingHasNothing() {
        for (String text : List.of("{}", "", "<html>")) {
            ServeFigures none = ServeFigures.parse(text);
            assertEquals(0, none.ready(), text);
            assertEquals("", none.state(), text);
            assertEquals(1, none.hitRate(), text);
        }
    }

    @Test
    void progressIsOneLine() {
        assertEquals(
                "    12.5 s  40 of 100 queries sent, 3 under way, 3 tasks wait; models: encoder digit | – | –",
                LoadWatch.line(new LoadProgress(12.5, 40, 37, 0, 100), ServeFigures.parse(STATUS)));
    }
}
