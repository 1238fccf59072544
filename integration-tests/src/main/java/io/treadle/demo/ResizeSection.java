// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.Locale;

/** What was resized in place: a line for each job, and every step folded away. */
final class ResizeSection {
    private ResizeSection() {}

    static void write(StringBuilder page, DemoResult result) {
        List<DemoResult.Job> resized =
                result.jobs().stream().filter(job -> !job.resizes().isEmpty()).toList();
        page.append("<h2>Resizes in place</h2>\n");
        if (resized.isEmpty()) {
            page.append("<p>None.</p>\n");
            return;
        }
        page.append("<div class=\"scroll\"><table><tr><th>job</th><th class=\"left\">vcores of its first worker</th>"
                + "<th>by the profiler</th><th>by the scheduler</th></tr>\n");
        for (DemoResult.Job job : resized) {
            page.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%s</td><td class=\"left wrap\">%s</td><td>%d</td><td>%d</td></tr>%n",
                    Html.escape(name(result, job)),
                    path(job),
                    job.resizes().size() - job.schedulerResizes(),
                    job.schedulerResizes()));
        }
        page.append("</table></div>\n");
        all(page, result, resized);
    }

    /** With its policy where several resized jobs of the name. */
    private static String name(DemoResult result, DemoResult.Job job) {
        return job.policy().equals(result.policies().get(0)) ? job.name() : job.name() + " under " + job.policy();
    }

    private static String path(DemoResult.Job job) {
        String worker = job.resizes().get(0).containerId();
        StringBuilder path = new StringBuilder();
        for (DemoResult.Resize resize : job.resizes()) {
            if (resize.containerId().equals(worker)) {
                path.append(path.isEmpty() ? Long.toString(resize.from()) : "")
                        .append(" → ")
                        .append(resize.to());
            }
        }
        return path.toString();
    }

    private static void all(StringBuilder page, DemoResult result, List<DemoResult.Job> resized) {
        page.append("<details><summary>Every step</summary><div class=\"scroll\"><table><tr><th>job</th><th>at</th>"
                + "<th>vcores</th><th>by</th><th>samples/s</th></tr>\n");
        for (DemoResult.Job job : resized) {
            for (DemoResult.Resize resize : job.resizes()) {
                page.append(String.format(
                        Locale.ROOT,
                        "<tr><td>%s</td><td>%.1f s</td><td>%d → %d</td><td>%s</td><td>%s</td></tr>%n",
                        Html.escape(name(result, job)),
                        resize.atSeconds(),
                        resize.from(),
                        resize.to(),
                        Html.escape(resize.by()),
                        resize.before() > 0 && resize.after() > 0
                                ? String.format(Locale.ROOT, "%.0f → %.0f", resize.before(), resize.after())
                                : "–"));
            }
        }
        page.append("</table></div></details>\n");
    }
}
