// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.files;

import com.google.common.collect.Streams;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Rows of a CSV file (RFC 4180, lines end with a line feed). Names of jobs, users and queues are others' texts: one that a
 * spreadsheet would take for a formula, and might run, gets an apostrophe before it (OWASP, "CSV Injection").
 */
public final class CsvRows implements Closeable {
    /** With those of full width, which some spreadsheets take for the same. */
    private static final String BEGINNINGS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.]+([eE][+-]?[0-9]+)?");
    private static final String MARK = "'";

    private final CSVPrinter rows;

    /** @param names of the columns */
    public CsvRows(Appendable out, List<String> names) throws IOException {
        rows = new CSVPrinter(
                out, CSVFormat.RFC4180.builder().setRecordSeparator('\n').get());
        rows.printRecord(names);
    }

    public void add(Object... values) throws IOException {
        rows.printRecord(Stream.of(values).map(CsvRows::cell));
    }

    public void add(Iterable<?> values) throws IOException {
        rows.printRecord(Streams.stream(values).map(CsvRows::cell));
    }

    private static Object cell(Object value) {
        return value instanceof String text && isFormula(text) ? MARK + text : value;
    }

    /** One with apostrophes before it counts as well: all of them but ours are read as they were. */
    private static boolean isFormula(String text) {
        int at = 0;
        while (at < text.length() && text.charAt(at) == MARK.charAt(0)) {
            at++;
        }
        return at < text.length()
                && BEGINNINGS.indexOf(text.charAt(at)) >= 0
                && !NUMBER.matcher(text.substring(at)).matches();
    }

    /** A text as it was before it was written. */
    public static String read(String cell) {
        return cell.startsWith(MARK) && isFormula(cell.substring(MARK.length())) ? cell.substring(MARK.length()) : cell;
    }

    /** Writes what is still held back, and leaves the file open. */
    public void flush() throws IOException {
        rows.flush();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
