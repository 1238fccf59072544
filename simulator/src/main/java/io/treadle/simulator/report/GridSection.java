// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.report;

import io.treadle.simulator.result.SummaryTable;
import java.util.ArrayList;
import java.util.List;

/** The grid of GPUs at a moment, which the page's script draws, and the stories of jobs. */
final class GridSection {
    private final ReportSubject subject;
    private final JobColumns jobs;
    private final List<PolicyFigures> policies;
    private final List<String> names;
    private final StringBuilder page = new StringBuilder();

    GridSection(ReportSubject subject, JobColumns jobs, List<PolicyFigures> policies) {
        this.subject = subject;
        this.jobs = jobs;
        this.policies = policies;
        names = policies.stream().map(policy -> policy.summary().policy()).toList();
    }

    String html() {
        page.append("<section id=\"cluster\"><h2>The cluster at a moment</h2>");
        page.append("<noscript><p>The grid of GPUs and the stories of jobs need JavaScript.</p></noscript>");
        page.append("<div id=\"player\" hidden><div class=\"controls\"><label>Policy <select id=\"policy\">");
        for (int i = 0; i < names.size(); i++) {
            page.append("<option value=\"")
                    .append(i)
                    .append("\">")
                    .append(Html.escape(names.get(i)))
                    .append("</option>");
        }
        page.append("</select></label><button type=\"button\" id=\"play\">Play</button>")
                .append("<label>Speed <select id=\"speed\"><option value=\"120\">slow</option>")
                .append(
                        "<option value=\"40\" selected>medium</option><option value=\"12\">fast</option></select></label>")
                .append("<button type=\"button\" id=\"back\" aria-label=\"To the change before\">‹ change</button>")
                .append("<button type=\"button\" id=\"on\" aria-label=\"To the next change\">change ›</button></div>")
                .append("<label class=\"slider\"><span class=\"hidden\">Time</span>")
                .append("<input type=\"range\" id=\"moment\" min=\"0\" max=\"2000\" value=\"0\"></label>")
                .append("<p id=\"status\" role=\"status\"></p>")
                .append("<div id=\"stage\"><canvas id=\"grid\" tabindex=\"0\" role=\"application\" aria-label=\"")
                .append(
                        "Grid of nodes and GPUs. Arrow keys move from GPU to GPU, Enter shows the job there.\"></canvas></div>")
                .append("<p class=\"note\" id=\"hint\"></p>")
                .append(
                        "<form id=\"find\"><label>Job <input id=\"job\" autocomplete=\"off\" spellcheck=\"false\"></label>")
                .append("<button>Show its story</button></form>")
                .append("<div id=\"story\" aria-live=\"polite\"></div></div>");
        thinned();
        return page.append("</section>\n").toString();
    }

    private void thinned() {
        List<String> lines = new ArrayList<>();
        if (jobs.kept() < subject.jobs().size()) {
            lines.add("the grid and the stories hold the " + Html.count(jobs.kept()) + " jobs of most GPU time, of "
                    + Html.count(subject.jobs().size()));
        }
        for (PolicyFigures policy : policies) {
            RunColumns runs = policy.runs();
            if (runs.dropped() > 0) {
                lines.add("under " + policy.summary().policy() + " "
                        + Html.count(runs.dropped()) + " stretches of running of less than "
                        + SummaryTable.time(runs.leastSeconds()) + " are not in them, "
                        + Html.count(runs.kept()) + " are");
            }
        }
        if (!lines.isEmpty()) {
            page.append("<p class=\"note\" id=\"thinned\">Thinned out to keep this page small: ")
                    .append(Html.escape(String.join("; ", lines)))
                    .append(". The event logs hold all.</p>");
        }
    }
}
