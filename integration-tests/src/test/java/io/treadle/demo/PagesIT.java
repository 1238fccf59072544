// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.service.ServicePages;
import io.treadle.browser.Browser;
import io.treadle.browser.BrowserPrograms;
import io.treadle.cluster.DeviceShape;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.cluster.NodeShape;
import io.treadle.demo.serve.ServePage;
import io.treadle.demo.serve.ServeResults;
import io.treadle.processes.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every page of Treadle's in a real browser: a running job and a waiting one in a real cluster, and the demo's report. */
class PagesIT {
    private static final List<NodeShape> NODES = List.of(
            new NodeShape("n1", 4096, 6, List.of(new DeviceShape(1, "A100", 40960, 400))),
            new NodeShape("n2", 3072, 5, List.of(new DeviceShape(1, "T4", 15360, 70))));
    private static final String POLICY = "srtf+synergy-balanced";
    private static final String NAME = "<script>document.title='broken'</script>";
    private static final int WIDE = 1280;
    private static final int PHONE = 390;
    private static final String DARK = "rgb(21, 24, 28)";

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static Path directory;
    private static EmbeddedCluster cluster;
    private static Browser browser;
    private static String running;
    private static String waiting;

    @BeforeAll
    static void start(@TempDir Path temporary) throws Exception {
        directory = temporary;
        Optional<BrowserPrograms> programs = BrowserPrograms.find();
        Assumptions.assumeTrue(programs.isPresent(), BrowserPrograms.MISSING);
        CpuShare share = CpuShare.of(2, DemoNodes.vcores(NODES));
        cluster = DemoCluster.start(NODES, List.of(POLICY), share, starting -> {});
        Path trainer = Scripts.extract("trainer.py", cluster.workDirectory().resolve("scripts"));
        JobSpecs specs = new JobSpecs(Python.interpreter(), trainer, share);
        Work work = new Work("small", 1, 20, 4);
        try (ClientLauncher launcher = new ClientLauncher(cluster.configuration())) {
            running = submit(launcher, specs, new DemoJob(NAME, work, 1, 1, 1, List.of(), 1_000_000, 0));
            await(running, job -> job.path("containers").size() > 0);
            waiting = submit(launcher, specs, new DemoJob("two-gpus", work, 2, 1, 1, List.of(), 100, 0));
            await(waiting, job -> job.path("reason").asText().startsWith("Gang 0/2"));
            await(running, job -> job.path("profile").size() > 0);
        }
        browser = Browser.start(programs.get(), Files.createDirectory(directory.resolve("profile")));
    }

    private static String submit(ClientLauncher launcher, JobSpecs specs, DemoJob job) {
        ApplicationId id = launcher.submit(specs.of(job, DemoCluster.queueOf(POLICY), true));
        return id.toString();
    }

    private static void await(String id, Predicate<JsonNode> condition) {
        Await.until("state of " + id, () -> {
            HttpResponse<String> answer = get(cluster.webAddress() + "/ws/v1/treadle/jobs/" + id);
            return answer.statusCode() == 200 && condition.test(new ObjectMapper().readTree(answer.body()));
        });
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            if (browser != null) {
                browser.close();
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    private static HttpResponse<String> get(String address) throws Exception {
        return HTTP.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String clusterPage() {
        return cluster.webAddress() + "/cluster/treadle";
    }

    private static String jobPage(String id) {
        return clusterPage() + "/job/" + id;
    }

    private static String proxied(String id) {
        return cluster.webAddress() + "/proxy/" + id + "/";
    }

    private static String demoPage() throws Exception {
        Path page = directory.resolve("demo.html");
        Files.writeString(page, DemoPage.write(DemoResults.twoPolicies()));
        return page.toUri().toString();
    }

    private static String servePage() throws Exception {
        Path page = directory.resolve("serve.html");
        Files.writeString(page, ServePage.write(ServeResults.two()));
        return page.toUri().toString();
    }

    private static String servicePage(String name, String html) throws Exception {
        Path page = directory.resolve(name + ".html");
        Files.writeString(page, html);
        return page.toUri().toString();
    }

    /** Opens a page and holds it against what all pages must be. */
    private static void open(String address, int width, boolean dark) throws Exception {
        browser.screen(width, dark);
        browser.open(address);
        String origin = address.startsWith("file:") ? "file:" : cluster.webAddress() + "/";
        for (String asked : browser.requests()) {
            assertTrue(asked.startsWith(origin), address + " asks for " + asked);
        }
        assertEquals(List.of(), browser.consoleErrors(), address);
        int needed = browser.evaluate("document.documentElement.scrollWidth").asInt();
        assertTrue(needed <= width, address + " needs " + needed + " pixels of " + width);
        String background = browser.evaluate("getComputedStyle(document.body).backgroundColor")
                .asText();
        assertEquals(dark, background.equals(DARK), address + " is " + background);
    }

    private static String text() throws Exception {
        return browser.evaluate("document.body.innerText").asText();
    }

    private static int count(String selector) throws Exception {
        return browser.evaluate("document.querySelectorAll(\"" + selector + "\").length")
                .asInt();
    }

    @Test
    void pagesFitWideAndNarrowScreensLightAndDark() throws Exception {
        for (String address : List.of(
                clusterPage(),
                jobPage(running),
                proxied(running),
                demoPage(),
                servePage(),
                servicePage("central", ServicePages.central()),
                servicePage("peer", ServicePages.peer()))) {
            open(address, WIDE, false);
            open(address, PHONE, true);
        }
    }

    @Test
    void clusterPageShowsQueuesJobsAndDevices() throws Exception {
        open(clusterPage() + "?jobs=-name", WIDE, false);
        String text = text();
        for (String key :
                List.of("of 2\nGPUs in use", "root.srtf-synergy-balanced", NAME, "two-gpus", "Gang 0/2: needs")) {
            assertTrue(text.contains(key), key + " is missing in " + text);
        }
        assertFalse(browser.evaluate("document.title").asText().contains("broken"));
        assertTrue(text.indexOf("two-gpus") < text.indexOf(NAME), "names fall");
        assertEquals(2, count(".treadle .cell"));
        assertEquals(1, count(".treadle a.cell.used[href$='" + running + "']"));
        assertEquals(2, count("#jobs + .scroll td:first-child a[href*='/cluster/treadle/job/']"));
        assertEquals(1, count("a[href='?jobs=name#jobs']"));
    }

    @Test
    void powerOfTheClusterAndOfItsJob() throws Exception {
        await(running, job -> job.path("joules").asDouble() > 0);
        String power = cluster.webAddress() + "/ws/v1/treadle/power";
        Await.until(
                "draw over time",
                () -> new ObjectMapper()
                                .readTree(get(power).body())
                                .path("history")
                                .size()
                        > 1);
        JsonNode report = new ObjectMapper().readTree(get(power).body());
        assertEquals(running, report.at("/jobs/0/application").asText());
        assertTrue(report.at("/jobs/0/watts").asDouble() > 0, report.toString());
        open(clusterPage(), PHONE, false);
        for (String key : List.of("The nodes draw", "Power of queues", "Energy of users", "Power of nodes")) {
            assertTrue(text().contains(key), key + " is missing in " + text());
        }
        assertEquals(1, count("#power ~ .scroll svg.chart polyline.speed"));
        assertEquals(2, count("#power-nodes + .scroll tbody tr"));
        open(jobPage(running), WIDE, false);
        assertTrue(text().contains("used by its GPUs"), text());
    }

    @Test
    void jobPageLeadsToLogsAndToItsApplicationMaster() throws Exception {
        open(jobPage(running), WIDE, false);
        assertTrue(text().contains(NAME), text());
        assertEquals(2, count("svg.chart"));
        assertTrue(count("svg rect.size") > 0);
        assertTrue(count("svg circle.point") > 0);
        String logs = browser.evaluate(
                        "document.querySelector(\"#containers + .scroll a[href*='containerlogs']\").href")
                .asText();
        HttpResponse<String> page = get(logs);
        assertEquals(200, page.statusCode(), logs);
        assertTrue(page.body().contains("stderr"), page.body());

        String master = browser.evaluate("document.querySelector(\".links a[href^='/proxy/']\").href")
                .asText();
        open(master, WIDE, false);
        assertTrue(text().contains("Throughput over vcores"), text());
        assertEquals(1, count("svg"));
        assertEquals(1, count("td a[href*='containerlogs']"));
    }

    @Test
    void waitingJobHasAPageAndUnknownOnesSayWhatTheyAre() throws Exception {
        open(jobPage(waiting), PHONE, false);
        assertTrue(text().contains("Gang 0/2: needs"), text());
        assertEquals(0, count("svg.chart"));

        HttpResponse<String> unknown = get(jobPage("application_1_0001"));
        assertEquals(404, unknown.statusCode());
        assertTrue(unknown.body().contains("no application &#39;application_1_0001&#39;"), unknown.body());
        HttpResponse<String> wrong = get(jobPage("nonsense"));
        assertEquals(400, wrong.statusCode());
        assertTrue(wrong.body().contains("is no application id"), wrong.body());
    }

    @Test
    void demoPageHoldsItsDrawings() throws Exception {
        open(demoPage(), WIDE, true);
        assertTrue(text().contains("1.60 times as soon"), text());
        assertEquals(2, count("svg.timeline"));
        assertTrue(count("svg.timeline rect") > 0);
        assertEquals(0, count("script"));
    }

    @Test
    void servePageComparesPolicies() throws Exception {
        open(servePage(), PHONE, true);
        assertTrue(text().contains("3.00 times as long on average under hash as under compass"), text());
        assertEquals(3, count("svg.timeline"));
        assertEquals(4, count("svg.timeline polyline"));
        // Headings of a narrow table are words, and not letters one below the other.
        assertTrue(browser.evaluate("document.querySelector('th').offsetHeight").asInt() < 40, "a heading of one line");
    }

    @Test
    void servicePageShowsWhatWorkersHoldAndWhereTheyAnswer() throws Exception {
        open(servicePage("peer", ServicePages.peer()), WIDE, false);
        String text = text();
        for (String key : List.of(
                "and each worker", "gpu-node-1.cluster.example.org:40123", "encoder-11", "98 %", "not measured")) {
            assertTrue(text.contains(key), key + " is missing in " + text);
        }
        assertFalse(browser.evaluate("document.title").asText().equals("broken"));
        assertEquals(3, count("table"));
        assertEquals(4, count("td a[href*='containerlogs']"));
        open(servicePage("central", ServicePages.central()), PHONE, false);
        assertTrue(text().contains("gpu-node-1.cluster.example.org:7001"), text());
        assertFalse(text().contains("each worker"), text());
    }
}
