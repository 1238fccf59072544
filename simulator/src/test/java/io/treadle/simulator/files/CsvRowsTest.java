// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowsTest {
    private static String written(Object... values) throws IOException {
        StringWriter out = new StringWriter();
        try (CsvRows rows = new CsvRows(out, List.of("a", "b"))) {
            rows.add(values);
            rows.add(List.of(values));
        }
        String[] lines = out.toString().split("\n", 2);
        assertEquals("a,b", lines[0]);
        String first = lines[1].substring(0, lines[1].length() / 2);
        assertEquals(first + first, lines[1], "both ways of adding a row");
        return first;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=cmd|' /C calc'!A0",
                "+1+cmd|' /C calc'!A0",
                "-2+3",
                "@SUM(1,1)",
                "\t=1+1",
                "\r=1+1",
                "=HYPERLINK(\"http://x\",\"y\")",
                "-job",
                "=",
                "\n=1+1",
                "\uff1d1+1",
                "'=1"
            })
    void noCellBeginsAsAFormulaDoesAndAllAreReadAsTheyWere(String text) throws IOException {
        String cell = written(text, 1).replaceFirst("^\"", "");
        assertFalse("=+-@\t\r".indexOf(cell.charAt(0)) >= 0, cell);
        assertEquals(text, CsvRows.read("'" + text));
    }

    @Test
    void numbersAndOtherTextsStayAsTheyAre() throws IOException {
        assertEquals("-1.5,-2\n", written("-1.5", -2));
        assertEquals("+3e-5,\n", written("+3e-5", ""));
        assertEquals("job-1,'s\n", written("job-1", "'s"));
        assertEquals("\"a,b\",\"c\"\"d\"\n", written("a,b", "c\"d"));
        assertEquals("'s", CsvRows.read("'s"));
        assertEquals("'-1", CsvRows.read("'-1"), "a number was never marked");
    }

    /** Ids of jobs are looked up in other files: they stay what they are. */
    @Test
    void whatIsWrittenIsReadAsItWas() throws IOException {
        Random random = new Random(5);
        String letters = "=+-@'a1.e";
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(6); k >= 0; k--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            String before = text.toString();
            String cell = written(before, 1);
            String value = cell.substring(0, cell.length() - 3).replaceFirst("^\"(.*)\"$", "$1");
            assertEquals(before, CsvRows.read(value), value);
        }
    }
}
