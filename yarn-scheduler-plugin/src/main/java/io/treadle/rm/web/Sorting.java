// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of a page are sorted and which rows of them are shown. A query parameter with the name of a table says what
 * it is sorted by: a column's key, with a minus for the other direction. A second one, such as {@code nodes-page}, says which
 * page of its rows is shown, from 1 on. Links keep what is chosen for the other tables.
 */
final class Sorting {
    /** Rows of a table that are shown at a time. */
    static final int ROWS = 100;

    private static final String PAGE = "-page";

    private final Map<String, String> chosen = new LinkedHashMap<>();

    /**
     * What a column sorts by.
     *
     * @param key in the query; empty where the table cannot be sorted by the column
     * @param title what the column's head says
     * @param type {@code n} for numbers, which stand at the right
     * @param value what a row is sorted by; computed once for each row
     */
    record Column<T>(String key, String title, String type, @Nullable Function<T, ? extends Comparable<?>> value) {
        static <T, C extends Comparable<? super C>> Column<T> text(String key, String title, Function<T, C> value) {
            return new Column<>(key, title, "", value);
        }

        static <T, C extends Comparable<? super C>> Column<T> number(String key, String title, Function<T, C> value) {
            return new Column<>(key, title, "n", value);
        }

        static <T> Column<T> plain(String title) {
            return new Column<>("", title, "", null);
        }
    }

    /**
     * The rows of a table that are shown.
     *
     * @param from number of the first, from 1 on
     * @param total how many there are
     */
    record Shown<T>(List<T> rows, int from, int total) {
        int to() {
            return from + rows.size() - 1;
        }
    }

    private record Keyed<T>(Comparable<?> key, T row) {}

    /** @param parameters of the request; those that name no table, or no column or page of it, are as if absent */
    Sorting(List<String> tables, Map<String, String> parameters) {
        for (String table : tables) {
            choose(parameters, table, "-?[a-z]{1,20}");
            choose(parameters, table + PAGE, "[1-9][0-9]{0,6}");
        }
    }

    private void choose(Map<String, String> parameters, String name, String accepted) {
        String value = parameters.get(name);
        if (value != null && value.matches(accepted)) {
            chosen.put(name, value);
        }
    }

    /** Names of all query parameters of these tables. */
    static List<String> parameters(List<String> tables) {
        List<String> names = new ArrayList<>(tables);
        tables.forEach(table -> names.add(table + PAGE));
        return names;
    }

    /** The rows in the order that was asked for; as given where none was. */
    <T> List<T> sorted(String table, List<Column<T>> columns, List<T> rows) {
        String choice = chosen.getOrDefault(table, "");
        String key = choice.startsWith("-") ? choice.substring(1) : choice;
        for (Column<T> column : columns) {
            Function<T, ? extends Comparable<?>> value = column.value();
            if (value != null && column.key().equals(key)) {
                return sorted(rows, value, choice.startsWith("-"));
            }
        }
        return rows;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // The values of a column are of one type.
    private static <T> List<T> sorted(
            List<T> rows, Function<T, ? extends Comparable<?>> value, boolean fromTheHighest) {
        List<Keyed<T>> keyed = new ArrayList<>(rows.size());
        rows.forEach(row -> keyed.add(new Keyed<>(value.apply(row), row)));
        Comparator<Keyed<T>> order = (one, other) -> ((Comparable) one.key()).compareTo(other.key());
        keyed.sort(fromTheHighest ? Collections.reverseOrder(order) : order);
        return keyed.stream().map(Keyed::row).toList();
    }

    /** The rows of the page that was asked for, in the order that was asked for; the last page where there are fewer. */
    <T> Shown<T> shown(String table, List<Column<T>> columns, List<T> rows) {
        int first = (page(table, rows.size()) - 1) * ROWS;
        List<T> sorted = sorted(table, columns, rows);
        return new Shown<>(sorted.subList(first, Math.min(rows.size(), first + ROWS)), first + 1, rows.size());
    }

    private int page(String table, int rows) {
        int wanted = Integer.parseInt(chosen.getOrDefault(table + PAGE, "1"));
        return Math.max(1, Math.min(wanted, pages(rows)));
    }

    private static int pages(int rows) {
        return (rows + ROWS - 1) / ROWS;
    }

    /** Which rows are shown, with links to the others; nothing where all are. */
    void pages(Markup page, String table, Shown<?> shown) {
        int pages = pages(shown.total());
        if (pages <= 1) {
            return;
        }
        int now = page(table, shown.total());
        page.open("p", "class", "pages")
                .text(JobText.count(shown.from()) + " to " + JobText.count(shown.to()) + " of "
                        + JobText.count(shown.total()));
        link(page, table, "first", 1, now);
        link(page, table, "previous", now - 1, now);
        link(page, table, "next", now + 1 > pages ? 0 : now + 1, now);
        link(page, table, "last", pages, now);
        page.close();
    }

    private void link(Markup page, String table, String text, int to, int now) {
        if (to >= 1 && to != now) {
            page.text(" · ").link(address(table, table + PAGE, Integer.toString(to)), text);
        }
    }

    /** The row of column heads, each a link that sorts by it. */
    <T> void heads(Markup page, String table, List<Column<T>> columns) {
        page.open("thead").open("tr");
        for (Column<T> column : columns) {
            page.open("th", "class", column.type(), "scope", "col");
            if (column.value() == null) {
                page.text(column.title());
            } else {
                String now = chosen.getOrDefault(table, "");
                String mark = now.equals(column.key()) ? " ▲" : now.equals("-" + column.key()) ? " ▼" : "";
                String next = mark.equals(" ▲") ? "-" + column.key() : column.key();
                page.link(address(table, table, next), column.title() + mark);
            }
            page.close();
        }
        page.close().close();
    }

    /** Another order begins with its first page. */
    private String address(String table, String parameter, String value) {
        Map<String, String> query = new LinkedHashMap<>(chosen);
        if (parameter.equals(table)) {
            query.remove(table + PAGE);
        }
        query.put(parameter, value);
        return query.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining("&", "?", "#" + table));
    }
}
