// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.text.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class PlainStreamTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream raw = new PrintStream(bytes, true, UTF_8);

    private String shown() {
        return bytes.toString(UTF_8);
    }

    @Test
    void whatATerminalObeysIsShownByItsNumber() {
        PlainStream plain = new PlainStream(raw);
        plain.println("a\u001b]0;OWNED\u0007\u001b[2Jb");
        plain.printf("%s|%s|%s%n", "\u009b2J", "\r\u007f", "\u202eabc\u2066");
        plain.print((Object) "\0");
        plain.print('\b');
        plain.append("\u0085").write('\u000b');
        assertEquals(
                "a\\x1b]0;OWNED\\x07\\x1b[2Jb\n\\x9b2J|\\x0d\\x7f|\\u202eabc\\u2066\n\\x00\\x08\\x85\\x0b", shown());
    }

    @Test
    void everyOtherCharacterIsAsItWas() {
        String text = "Zürich → 機械学習 👩‍🔬\tسلام\n\u00a0½ \ud83d\ude00";
        new PlainStream(raw).print(text);
        assertEquals(text, shown());
    }

    @Test
    void bytesMayComeOneByOne() {
        PlainStream plain = new PlainStream(raw);
        byte[] text = "é\u001b€😀\u009b".getBytes(UTF_8);
        for (byte each : text) {
            plain.write(each);
        }
        assertEquals("é\\x1b€😀\\x9b", shown());
    }

    @Test
    void bytesThatAreNoTextHarmNobody() {
        PlainStream plain = new PlainStream(raw);
        byte[] broken = {'a', (byte) 0xff, (byte) 0xc2, 'b', (byte) 0x9b, '\n'};
        plain.write(broken, 0, broken.length);
        assertEquals("a\ufffd\ufffdb\ufffd\n", shown());
    }

    @Test
    void commandsOfOursAreObeyedInTheirPlace() {
        PlainStream plain = new PlainStream(raw);
        plain.print("x");
        plain.command("\r");
        plain.print("y\r");
        plain.command("\u001b[K");
        assertEquals("x\ry\\x0d\u001b[K", shown());
    }

    @Test
    void aPlaceInALineStaysInIt() {
        assertEquals("a\\x0aapplication_1\\x09b\\x1b", PlainText.line("a\napplication_1\tb\u001b"));
        assertEquals("plain", PlainText.line("plain"));
    }

    @Test
    void logsKeepTheirColoursAndBars() {
        PlainStream.ofLogs(raw).print("\r 50 %\u001b[1;31mred\u001b[0m\u001b[2J\u001b]0;title\u0007\u001b[8");
        assertEquals("\r 50 %\u001b[1;31mred\u001b[0m\\x1b[2J\\x1b]0;title\\x07\\x1b[8", shown());
    }
}
