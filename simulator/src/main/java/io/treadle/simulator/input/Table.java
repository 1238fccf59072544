// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A file of rows and columns, read row by row. */
public final class Table {
    private static final CSVFormat COMMAS =
            CSVFormat.DEFAULT.builder().setIgnoreEmptyLines(true).get();

    private final Path file;
    private final char separator;
    private final List<String> names;
    private final boolean headerInFile;

    private Table(Path file, char separator, List<String> names, boolean headerInFile) {
        this.file = file;
        this.separator = separator;
        this.names = names;
        this.headerInFile = headerInFile;
    }

    /** A table whose first row names its columns. */
    public static Table withHeader(Path file) {
        return new Table(file, ',', firstRow(file), true);
    }

    /** A table that is rows of values alone. */
    public static Table withoutHeader(Path file, List<String> names) {
        return new Table(file, ',', names, false);
    }

    /** The values of the first row, trimmed; empty for an empty file. */
    public static List<String> firstRow(Path file) {
        try (CSVParser parser = COMMAS.parse(TextFiles.open(file))) {
            Iterator<CSVRecord> rows = parser.iterator();
            return rows.hasNext()
                    ? Arrays.stream(rows.next().values())
                            .map(name -> name.replace("\uFEFF", "").trim())
                            .toList()
                    : List.of();
        } catch (IOException | IllegalStateException e) {
            throw new InputException(file + " is no table of comma-separated values: " + e.getMessage() + ".", e);
        }
    }

    public boolean has(String column) {
        return new Header(names, headerInFile).find(column).isPresent();
    }

    /**
     * Reads all rows in their order.
     *
     * @throws InputException if the file cannot be read, or from the consumer
     */
    public void forEach(Consumer<Row> consumer) {
        Header header = new Header(names, headerInFile);
        CSVFormat format = COMMAS.builder().setDelimiter(separator).get();
        try (CSVParser parser = format.parse(TextFiles.open(file))) {
            boolean skip = headerInFile;
            for (CSVRecord record : parser) {
                if (skip) {
                    skip = false;
                } else {
                    consumer.accept(new Row(file, header, record));
                }
            }
        } catch (IOException e) {
            throw TextFiles.cannotRead(file, e);
        } catch (IllegalStateException | java.io.UncheckedIOException e) {
            throw new InputException(file + " is no table of comma-separated values: " + e.getMessage() + ".", e);
        }
    }
}
