// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of a page are sorted: one query parameter for each table, its value a column's key, with a minus for
 * the other direction. Links keep what the other tables are sorted by.
 */
final class Sorting {
    private final Map<String, String> chosen = new LinkedHashMap<>();

    /**
     * What a column sorts by.
     *
     * @param key in the query; empty where the table cannot be sorted by the column
     * @param title what the column's head says
     * @param type {@code n} for numbers, which stand at the right
     */
    record Column<T>(String key, String title, String type, @Nullable Comparator<T> order) {
        static <T> Column<T> text(String key, String title, Comparator<T> order) {
            return new Column<>(key, title, "", order);
        }

        static <T> Column<T> number(String key, String title, Comparator<T> order) {
            return new Column<>(key, title, "n", order);
        }

        static <T> Column<T> plain(String title) {
            return new Column<>("", title, "", null);
        }
    }

    /** @param parameters of the request; those that name no table, or no column of it, are as if absent */
    Sorting(List<String> tables, Map<String, String> parameters) {
        for (String table : tables) {
            String value = parameters.get(table);
            if (value != null && value.matches("-?[a-z]{1,20}")) {
                chosen.put(table, value);
            }
        }
    }

    /** The rows in the order that was asked for; as given where none was. */
    <T> List<T> sorted(String table, List<Column<T>> columns, List<T> rows) {
        String choice = chosen.getOrDefault(table, "");
        String key = choice.startsWith("-") ? choice.substring(1) : choice;
        for (Column<T> column : columns) {
            Comparator<T> order = column.order();
            if (order != null && column.key().equals(key)) {
                return rows.stream()
                        .sorted(choice.startsWith("-") ? order.reversed() : order)
                        .toList();
            }
        }
        return rows;
    }

    /** The row of column heads, each a link that sorts by it. */
    <T> void heads(Markup page, String table, List<Column<T>> columns) {
        page.open("thead").open("tr");
        for (Column<T> column : columns) {
            page.open("th", "class", column.type(), "scope", "col");
            if (column.order() == null) {
                page.text(column.title());
            } else {
                String now = chosen.getOrDefault(table, "");
                String mark = now.equals(column.key()) ? " ▲" : now.equals("-" + column.key()) ? " ▼" : "";
                page.link(address(table, mark.equals(" ▲") ? "-" + column.key() : column.key()), column.title() + mark);
            }
            page.close();
        }
        page.close().close();
    }

    private String address(String table, String value) {
        Map<String, String> query = new LinkedHashMap<>(chosen);
        query.put(table, value);
        return query.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining("&", "?", "#" + table));
    }
}
