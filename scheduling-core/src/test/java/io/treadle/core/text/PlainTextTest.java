// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlainTextTest {
    @Test
    void whatIsObeyedIsShownByItsNumber() {
        assertEquals("a\\x0ab\\x09\\x1b[2J\\x9b\\u202e\\u2028", PlainText.line("a\nb\t\u001b[2J\u009b\u202e\u2028"));
        assertEquals("a\nb\t\\x1b", PlainText.lines("a\nb\t\u001b"));
        assertEquals("\\u200f\\ud800x", PlainText.line("\u200f\ud800x"));
        assertEquals("Grüße, 模型 – 𝄞", PlainText.line("Grüße, 模型 – 𝄞"));
    }

    @Test
    void ofALongTextTheBeginningAndTheEndAreShown() {
        assertEquals("0123456789", PlainText.line("0123456789", 10));
        assertEquals("abcdefgh … yz", PlainText.line("abcdefghijklmnopqrstuvwxyz", 10));
        assertEquals("\\x0a", PlainText.line("\n", 10));
    }

    @Test
    void isLine() {
        assertTrue(PlainText.isLine("worker 1"));
        assertTrue(PlainText.isLine(""));
        assertFalse(PlainText.isLine("a\r"));
        assertFalse(PlainText.isLine("\u2066"));
    }
}
