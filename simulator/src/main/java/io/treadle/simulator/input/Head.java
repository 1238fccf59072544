// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * How a file begins: what formats are told by.
 *
 * @param file the file
 * @param lines its first lines that are not blank, trimmed; the last may be cut off
 */
public record Head(Path file, List<String> lines) {
    private static final int CHARACTERS = 1 << 16;

    public Head {
        lines = List.copyOf(lines);
    }

    /** @throws InputException if the file cannot be read */
    public static Head of(Path file) {
        char[] text = new char[CHARACTERS];
        int length = 0;
        try (Reader in = TextFiles.open(file)) {
            for (int read = 0; read >= 0 && length < CHARACTERS; read = in.read(text, length, CHARACTERS - length)) {
                length += read;
            }
        } catch (IOException e) {
            throw TextFiles.cannotRead(file, e);
        }
        return new Head(
                file,
                new String(text, 0, length)
                        .lines()
                        .map(String::trim)
                        .filter(line -> !line.isEmpty())
                        .toList());
    }

    /** The first line; empty for an empty file. */
    public String first() {
        return lines.isEmpty() ? "" : lines.get(0);
    }

    /** The values of the first row that is no comment. */
    public List<String> row(Dialect dialect) {
        String line = lines.stream()
                .filter(text -> dialect != Dialect.COMMAS || !text.startsWith("#"))
                .findFirst()
                .orElse("");
        return split(line, dialect);
    }

    /** The values of one line, trimmed. */
    public static List<String> split(String line, Dialect dialect) {
        try (CSVParser parser = CSVParser.parse(line, dialect.format())) {
            return parser.stream()
                    .findFirst()
                    .map(CSVRecord::values)
                    .map(values -> Arrays.stream(values).map(String::trim).toList())
                    .orElse(List.of());
        } catch (IOException | IllegalStateException | java.io.UncheckedIOException e) {
            // No row of a table, so it has no columns that anybody knows.
            return List.of();
        }
    }

    /** Whether the first row names all of these columns, in any case. */
    public boolean names(String... columns) {
        return names(Dialect.COMMAS, columns);
    }

    /** Whether the first row names all of these columns, in any case. */
    public boolean names(Dialect dialect, String... columns) {
        List<String> row =
                row(dialect).stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        return Stream.of(columns).allMatch(column -> row.contains(column.toLowerCase(Locale.ROOT)));
    }
}
