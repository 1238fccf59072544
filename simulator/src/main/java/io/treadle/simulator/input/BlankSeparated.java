// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A file of lines whose values stand between any number of blanks; empty lines and those that begin with the comment mark
 * are left out.
 *
 * @param names the values' names
 */
public record BlankSeparated(Path file, List<String> names, char comment) implements Rows {
    public BlankSeparated {
        names = List.copyOf(names);
    }

    @Override
    public void forEach(Consumer<Row> consumer) {
        Header header = new Header(names);
        try (BufferedReader lines = TextFiles.openRows(file)) {
            long number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String text = line.strip();
                if (!text.isEmpty() && text.charAt(0) != comment) {
                    consumer.accept(new Row(file, header, number, List.of(text.split("\\s+"))));
                }
                number++;
            }
        } catch (IOException e) {
            throw TextFiles.cannotRead(file, e);
        }
    }
}
