// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class DemoPageTest {
    private final String page = DemoPage.write(DemoResults.twoPolicies());

    @Test
    void needsNothingElse() {
        for (String fetch : new String[] {"http://", "https://", "src=", "@import", "url(", "<script", "<link"}) {
            assertFalse(page.contains(fetch), fetch);
        }
        assertTrue(page.contains("prefers-color-scheme:dark"));
        assertTrue(page.contains("name=\"viewport\""));
    }

    @Test
    void namesEveryJobAndPolicyAndEscapesThem() {
        assertTrue(page.contains("<td>a &lt;b&gt;</td>"));
        assertFalse(page.contains("a <b>"));
        assertTrue(page.contains("<td>c</td>"));
        assertTrue(page.contains("<th>srtf+synergy-tune</th>"));
        assertTrue(page.contains("1.60 times as soon"));
        assertTrue(page.contains("3 → 8"));
    }

    @Test
    void drawingsAreWellFormedAndHoldABandForEachSpan() throws Exception {
        DemoResult result = DemoResults.twoPolicies();
        String svg = TimelineChart.of(result.jobsUnder("srtf+synergy-tune"), 100, 8);
        NodeList bands = parse(svg).getElementsByTagName("rect");

        // One in each lane, and one for each job in the only stretch of time of the GPUs.
        assertEquals(4, bands.getLength());
        assertTrue(bands.item(0).getTextContent().contains("2 GPUs and 6 vcores on n1, n2"));
        assertEquals(
                2,
                parse(ProfileChart.of(result.jobs().get(0)))
                        .getElementsByTagName("circle")
                        .getLength());
    }

    private static org.w3c.dom.Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
