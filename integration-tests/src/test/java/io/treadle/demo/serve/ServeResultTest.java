// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ServeResultTest {
    private final ServeResult result = ServeResults.two();

    @Test
    void percentilesAreThoseOfTheNearestRank() {
        // Wikipedia's example of the nearest-rank method.
        Percentiles few = new Percentiles(List.of(50.0, 15.0, 40.0, 20.0, 35.0));
        assertEquals(
                List.of(15.0, 20.0, 20.0, 35.0, 50.0),
                List.of(few.at(5), few.at(30), few.at(40), few.at(50), few.at(100)));
        assertEquals(32, few.mean());
        PolicyRun ours = result.reference();
        assertEquals(50.5, ours.meanMs());
        assertEquals(
                List.of(50.0, 95.0, 99.0),
                List.of(ours.percentileMs(50), ours.percentileMs(95), ours.percentileMs(99)));
        assertTrue(Double.isNaN(new Percentiles(List.of()).at(95)));
        assertTrue(Double.isNaN(new Percentiles(List.of()).mean()));
    }

    @Test
    void theTableHasEachPolicyBesideCompass() {
        assertEquals(
                List.of(
                        " policy   queries  failed    mean     p50     p95     p99  accuracy  hits  times compass",
                        " hash         101       1  152 ms  150 ms  285 ms  297 ms   100.0 %  25 %           3.00",
                        " compass      100       0   51 ms   50 ms   95 ms   99 ms    90.0 %     –           1.00",
                        "",
                        " p95 of       hash  compass",
                        " a <b>      294 ms    98 ms",
                        " recognise  144 ms    48 ms"),
                ServeText.lines(result));
    }

    @Test
    void machinesReadTheSame() throws Exception {
        JsonNode json = new ObjectMapper().readTree(ServeJson.write(result));
        assertEquals(2, json.size());
        JsonNode hash = json.get(0);
        assertEquals("hash", hash.path("policy").asText());
        assertEquals(101, hash.path("queries").asInt());
        assertEquals(1, hash.path("failed").asInt());
        assertEquals(1.0, hash.path("accuracy").asDouble());
        assertEquals(3.0, hash.path("meanRatio").asDouble());
        assertEquals(0.25, hash.path("hitRate").asDouble());
        assertEquals(200, hash.path("modelsRun").asInt());
        assertEquals(150, hash.path("modelsLoaded").asInt());
        assertTrue(json.get(1).path("hitRate").isNull());
        assertEquals(10, json.get(1).path("wrong").asInt());
        assertEquals(95.0, json.get(1).path("latencyMs").path("p95").asDouble());
        JsonNode workflow = hash.path("workflows").get(1);
        assertEquals("recognise", workflow.path("workflow").asText());
        assertEquals(50, workflow.path("answered").asInt());
        assertEquals(144.0, workflow.path("latencyMs").path("p95").asDouble());
    }

    @Test
    void whatNothingHasIsMissing() throws Exception {
        PolicyRun none = new PolicyRun("jit", List.of(new Answered(0, 5, "recognise", 503, false)));
        ServeResult failed = new ServeResult(List.of(none), 1, "");
        assertEquals(
                " jit           1       1     –    –    –    –         –     –          –",
                ServeText.lines(failed).get(1));
        assertTrue(new ObjectMapper()
                .readTree(ServeJson.write(failed))
                .get(0)
                .path("accuracy")
                .isNull());
        String page = ServePage.write(failed);
        assertFalse(page.contains("NaN"), page);
    }

    @Test
    void thePageNeedsNothingElseAndEscapes() {
        String page = ServePage.write(result);
        for (String fetch :
                new String[] {"http://", "https://", "src=", "@import", "url(", "<script", "<link", "NaN"}) {
            assertFalse(page.contains(fetch), fetch);
        }
        assertTrue(page.contains("prefers-color-scheme:dark"));
        assertTrue(page.contains("3.00 times as long on average under hash as under compass"));
        assertTrue(page.contains("3 workers &amp; 40 MiB"));
        assertTrue(page.contains("1 queries failed"));
        assertTrue(page.contains("<td>a &lt;b&gt;</td>"));
        assertFalse(page.contains("a <b>"));
    }

    @Test
    void drawingsAreWellFormedAndHaveACurveOrBarForEach() throws Exception {
        assertEquals(2, count(ServeCharts.distribution(result), "polyline"));
        assertEquals(4, count(ServeCharts.workflows(result), "rect"));
        assertEquals(2, count(ServeCharts.timeline(result), "polyline"));
        assertTrue(ServeCharts.workflows(result).contains("recognise under hash: 144 ms"));
    }

    /** Of 101 queries one failed: the curve ends below the top. */
    @Test
    void aCurveWithFailuresEndsBelowTheTop() throws Exception {
        Document svg = parse(ServeCharts.distribution(result));
        String[] points = svg.getElementsByTagName("polyline")
                .item(0)
                .getAttributes()
                .getNamedItem("points")
                .getNodeValue()
                .strip()
                .split("[ ,]", -1);
        double y = Double.parseDouble(points[points.length - 1]);
        assertEquals(Plot.BASE + (Plot.TOP - Plot.BASE) * 100 / 101, y, 0.1);
    }

    private static int count(String svg, String element) throws Exception {
        return parse(svg).getElementsByTagName(element).getLength();
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
