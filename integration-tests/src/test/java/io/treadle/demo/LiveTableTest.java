// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveTableTest {
    private static final JobRow RUNNING =
            new JobRow("resnet-a", "1/1", List.of("n1"), "running", 3, 8, List.of(10.0, 40.0, 80.0), 0.63, "ready");
    private static final JobRow WAITING =
            new JobRow("bert-b", "0/4", List.of(), "waiting", 0, 0, List.of(), 0, "4 GPUs free, at most 2 on one node");

    @Test
    void showsSizesSpeedAndReasons() {
        List<String> lines = new LiveTable(120, 110).lines("srtf+synergy-tune", 72, List.of(RUNNING, WAITING));

        assertTrue(lines.get(0).contains("01:12 / about 01:50"), lines.get(0));
        assertTrue(lines.get(2).matches(" resnet-a +1/1 n1 +running +3 → 8 +▂▅█ +80 +63 % +ready"), lines.get(2));
        assertTrue(
                lines.get(3).matches(" bert-b +0/4 +waiting +– +– +– +4 GPUs free, at most 2 on one node"),
                lines.get(3));
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        List<String> lines = new LiveTable(60, 110).lines("srtf+synergy-tune", 72, List.of(RUNNING, WAITING));

        assertTrue(lines.stream().allMatch(line -> line.length() <= 60), lines.toString());
        assertTrue(lines.get(3).endsWith("…"));
    }

    @Test
    void withoutATerminalOneLineForEachChange() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PlainScreen screen = new PlainScreen(new PrintStream(bytes, false, StandardCharsets.UTF_8));
        screen.update("p", 1, List.of(WAITING));
        screen.update("p", 2, List.of(WAITING));
        screen.update("p", 3, List.of(RUNNING, WAITING));

        assertEquals(
                " 00:01  bert-b      waiting, 4 GPUs free, at most 2 on one node\n"
                        + " 00:03  resnet-a    running, gang 1/1 on n1, vcores 3 → 8, 80 samples/s, 63 %, ready\n",
                bytes.toString(StandardCharsets.UTF_8));
    }
}
