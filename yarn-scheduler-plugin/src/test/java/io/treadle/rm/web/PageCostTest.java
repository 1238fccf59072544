// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.rm.AllocatedBytes;
import io.treadle.rm.history.JobHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a view of a page costs: bytes of HTML, bytes allocated, and looks at tasks. */
class PageCostTest {
    private static final int MOST_HTML = 2_000_000;

    private static String page(ClusterView view, Map<String, String> parameters) {
        return ClusterPage.render(view, parts -> "/cluster/" + String.join("/", parts), parameters);
    }

    private static String jobPage(BigCluster cluster, Map<String, String> parameters) {
        return JobPage.render(
                new JobAnswer.Found(
                        cluster.jobs().get(0),
                        "fifo",
                        new JobHistory(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        "",
                        ""),
                parts -> "/cluster/" + String.join("/", parts),
                BigCluster.NOW,
                parameters);
    }

    @Test
    void tenThousandNodesAndAThousandJobsAreShownInPages() throws Exception {
        ClusterView view = new BigCluster(10_000, 1000).view();
        String first = page(view, Map.of());
        assertTrue(first.length() < MOST_HTML, () -> first.length() + " characters");
        assertTrue(first.contains("<p class=\"pages\">1 to 100 of 10,000"), "counts all nodes");
        assertTrue(first.contains("1 to 100 of 1,000"), "counts all jobs");
        assertTrue(first.contains("kept for a waiting job: 8 vcores"), "what is kept on a node");
        assertTrue(first.contains("80000 of 80000"), "its figures are those of all nodes");
        long allocated = AllocatedBytes.of(() -> page(view, Map.of("nodes", "-watts", "jobs", "gpus")));
        assertTrue(allocated < 60_000_000, () -> allocated + " bytes allocated");
    }

    @Test
    void nodesOfEveryPageAreAllNodes() {
        ClusterView view = new BigCluster(250, 10).view();
        Pattern link = Pattern.compile("//node(\\d+)\\.example\\.org:8042/node\"");
        java.util.Set<String> seen = new java.util.TreeSet<>();
        for (String number : List.of("1", "2", "3")) {
            String page = page(view, Map.of("nodes-page", number, "nodes", "watts"));
            link.matcher(page).results().forEach(match -> seen.add(match.group(1)));
        }
        assertEquals(250, seen.size());
        String last = page(view, Map.of("nodes-page", "3", "nodes", "-watts", "jobs", "id"));
        assertTrue(
                last.contains(
                        "<p class=\"pages\">201 to 250 of 250 · <a href=\"?jobs=id&amp;nodes=-watts&amp;nodes-page=1#nodes\">first</a>"
                                + " · <a href=\"?jobs=id&amp;nodes=-watts&amp;nodes-page=2#nodes\">previous</a></p>"),
                last);
        assertEquals(
                last.indexOf("201 to 250") > 0,
                page(view, Map.of("nodes-page", "99")).indexOf("201 to 250") > 0);
        assertTrue(page(view, Map.of("nodes-page", "-1")).contains("1 to 100 of 250"));
    }

    @Test
    void anotherOrderBeginsWithItsFirstPage() {
        String page = page(new BigCluster(250, 10).view(), Map.of("nodes-page", "2"));
        assertTrue(page.contains("<a href=\"?nodes=name#nodes\">node</a>"), page);
        assertTrue(page.contains("<a href=\"?nodes-page=2&amp;jobs=id#jobs\">id</a>"), page);
    }

    @Test
    void smallClusterHasNoPages() {
        String page = page(new BigCluster(3, 2).view(), Map.of());
        assertFalse(page.contains("class=\"pages\""), page);
    }

    /** The page of a job with 8,000 tasks looked at each of them hundreds of thousands of times. */
    @Test
    void largeJobCostsAFewLooksAtEachOfItsTasks() {
        BigCluster cluster = new BigCluster(1000, 1);
        long before = cluster.looks();
        String page = page(cluster.view(), Map.of());
        long looks = cluster.looks() - before;
        assertTrue(looks < 20 * 8000, () -> looks + " looks at 8000 tasks");
        assertTrue(page.length() < MOST_HTML, () -> page.length() + " characters");
        String job = jobPage(cluster, Map.of());
        assertTrue(job.length() < MOST_HTML, () -> job.length() + " characters");
        assertTrue(job.contains("1 to 100 of 8,000"), job);
        assertTrue(jobPage(cluster, Map.of("containers-page", "80")).contains("7,901 to 8,000 of 8,000"));
    }

    @Test
    void tableIsSortedWithOneLookAtEachTask() {
        BigCluster cluster = new BigCluster(1000, 1000);
        ClusterView view = cluster.view();
        page(view, Map.of());
        long plain = cluster.looks();
        page(view, Map.of());
        long once = cluster.looks() - plain;
        page(view, Map.of("jobs", "-gpus"));
        long sorted = cluster.looks() - plain - once;
        assertTrue(sorted - once <= 2 * 8000, () -> (sorted - once) + " looks more to sort 8000 tasks' jobs");
    }

    @Test
    void pageOfTwiceTheClusterCostsAtMostTwiceAsMuch() throws Exception {
        ClusterView small = new BigCluster(2000, 200).view();
        ClusterView large = new BigCluster(4000, 400).view();
        long one = AllocatedBytes.of(() -> page(small, Map.of("nodes", "watts")));
        long two = AllocatedBytes.of(() -> page(large, Map.of("nodes", "watts")));
        assertTrue(two < 2.2 * one, () -> one + " bytes allocated for 2000 nodes, " + two + " for 4000");
    }
}
