// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The small things that pages are made of. */
class JobTextTest {
    @Test
    void durationsHaveTheirTwoLargestUnits() {
        assertEquals("0 s", JobText.duration(-5));
        assertEquals("59 s", JobText.duration(59_999));
        assertEquals("2 min", JobText.duration(120_000));
        assertEquals("2 min 5 s", JobText.duration(125_000));
        assertEquals("2 h 5 min", JobText.duration(7_500_000));
        assertEquals("1 d 1 h", JobText.duration(90_000_000));
        assertEquals("2026-01-01 00:00:00 UTC", JobText.time(1_767_225_600_000L));
    }

    @Test
    void markupEscapesEverythingAndMustBeClosed() {
        Markup page = new Markup().open("p", "title", "\"'&", "class", "").text("<b>");
        assertThrows(IllegalStateException.class, page::toString);
        assertEquals("<p title=\"&quot;&#39;&amp;\">&lt;b&gt;</p>", page.close().toString());
    }

    @Test
    void tablesSortByTheQueryAndKeepTheOtherTables() {
        List<Sorting.Column<String>> columns =
                List.of(Sorting.Column.text("name", "name", Function.<String>identity()));
        Sorting sorting =
                new Sorting(List.of("a", "b", "c"), Map.of("a", "-name", "b", "name", "c", "\"><script>", "d", "name"));
        List<String> rows = List.of("y", "x", "z");
        assertEquals(List.of("z", "y", "x"), sorting.sorted("a", columns, rows));
        assertEquals(List.of("x", "y", "z"), sorting.sorted("b", columns, rows));
        assertEquals(rows, sorting.sorted("c", columns, rows));
        Markup page = new Markup();
        sorting.heads(page, "b", columns);
        assertEquals(
                "<thead><tr><th scope=\"col\"><a href=\"?a=-name&amp;b=-name#b\">name ▲</a></th></tr></thead>",
                page.toString());
    }

    @Test
    void timeAxisHasAFewRoundTicks() {
        assertEquals(
                List.of(0L, 15_000L, 30_000L, 45_000L, 60_000L, 75_000L, 90_000L),
                new TimeAxis(1000, 101_000, 0, 100).ticks());
        assertEquals(50, new TimeAxis(1000, 101_000, 0, 100).x(51_000));
    }
}
