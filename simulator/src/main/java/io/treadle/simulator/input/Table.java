// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A file of rows and columns, read row by row. */
public final class Table implements Rows {
    private final Path file;
    private final Dialect dialect;
    private final List<String> names;
    /** Rows before the first that holds values. */
    private final int skipped;

    private Table(Path file, Dialect dialect, List<String> names, int skipped) {
        this.file = file;
        this.dialect = dialect;
        this.names = names;
        this.skipped = skipped;
    }

    /** A table of commas whose first row names its columns. */
    public static Table withHeader(Path file) {
        return withHeader(file, Dialect.COMMAS);
    }

    /** A table whose first row names its columns. */
    public static Table withHeader(Path file, Dialect dialect) {
        return withHeader(file, dialect, 0);
    }

    /** A table whose columns are named after so many rows that mean nothing. */
    public static Table withHeader(Path file, Dialect dialect, int before) {
        return new Table(file, dialect, row(file, dialect, before), before + 1);
    }

    /** A table of commas that is rows of values alone. */
    public static Table withoutHeader(Path file, List<String> names) {
        return withoutHeader(file, Dialect.COMMAS, names);
    }

    /** A table that is rows of values alone. */
    public static Table withoutHeader(Path file, Dialect dialect, List<String> names) {
        return new Table(file, dialect, names, 0);
    }

    private static List<String> row(Path file, Dialect dialect, int before) {
        try (CSVParser parser = dialect.format().parse(TextFiles.openRows(file))) {
            Iterator<CSVRecord> rows = parser.iterator();
            for (int i = 0; i < before && rows.hasNext(); i++) {
                rows.next();
            }
            return rows.hasNext() ? values(rows.next()).map(String::trim).toList() : List.of();
        } catch (IOException | IllegalStateException | UncheckedIOException e) {
            throw noTable(file, e);
        }
    }

    /** The names of its columns. */
    public List<String> names() {
        return names;
    }

    public boolean has(String column) {
        return new Header(names).find(column).isPresent();
    }

    @Override
    public void forEach(Consumer<Row> consumer) {
        Header header = new Header(names);
        try (CSVParser parser = dialect.format().parse(TextFiles.openRows(file))) {
            long comments = 0;
            for (CSVRecord record : parser) {
                String comment = record.getComment();
                comments += comment == null ? 0 : comment.lines().count();
                if (record.getRecordNumber() > skipped) {
                    consumer.accept(new Row(
                            file,
                            header,
                            record.getRecordNumber() + comments,
                            values(record).toList()));
                }
            }
        } catch (IOException | IllegalStateException | UncheckedIOException e) {
            throw noTable(file, e);
        }
    }

    private static java.util.stream.Stream<String> values(CSVRecord record) {
        return Arrays.stream(record.values());
    }

    private static InputException noTable(Path file, Exception e) {
        Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
        if (cause instanceof CSVException) {
            return new InputException(
                    file + " cannot be read as a table: " + cause.getMessage()
                            + ".\nMaybe a double quote is not closed, or has no second one beside it.",
                    e);
        }
        return cause instanceof IOException io
                ? TextFiles.cannotRead(file, io)
                : new InputException(file + " cannot be read as a table: " + e.getMessage() + ".", e);
    }
}
