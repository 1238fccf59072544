// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** {@code demo.html}: a demo's result as one page that needs nothing else. */
final class DemoPage {
    private static final double MIB_PER_GIB = 1024;

    private DemoPage() {}

    static String write(DemoResult result) {
        StringBuilder page = new StringBuilder();
        page.append(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Treadle demo</title><style>\n")
                .append(DemoPageStyle.CSS)
                .append("</style></head><body>\n<h1>Treadle demo</h1>\n");
        summary(page, result);
        comparison(page, result);
        timelines(page, result);
        profiles(page, result);
        ResizeSection.write(page, result);
        nodes(page, result);
        return page.append("</body></html>\n").toString();
    }

    private static void summary(StringBuilder page, DemoResult result) {
        String first = result.policies().get(0);
        String last = result.policies().get(result.policies().size() - 1);
        if (!first.equals(last)) {
            page.append(String.format(
                    Locale.ROOT,
                    "<p class=\"big\">The same jobs end %.2f times as soon on average under %s as under %s.</p>\n",
                    result.ratio(),
                    Html.escape(first),
                    Html.escape(last)));
        }
        result.testAccuracy()
                .ifPresent(accuracy -> page.append(
                        String.format(Locale.ROOT, "<p class=\"big\">Test accuracy %.1f %%.</p>\n", accuracy * 100)));
        page.append("<div class=\"figures\">");
        result.policies()
                .forEach(policy -> figure(
                        page,
                        String.format(Locale.ROOT, "%.1f s", result.meanJctSeconds(policy)),
                        "mean completion under " + policy));
        long failed = result.jobs().stream().filter(job -> !job.succeeded()).count();
        figure(
                page,
                Integer.toString(ComparisonText.names(result).size()),
                failed == 0 ? "jobs, all succeeded" : "jobs; " + failed + " runs of them did not succeed");
        figure(
                page,
                Integer.toString(gpus(result)),
                "simulated GPUs on " + result.nodes().size() + " nodes");
        page.append("</div>\n");
        page.append(String.format(
                Locale.ROOT,
                "<p>Hadoop %s in one JVM, seed %d. %s A vcore stands for %.3f of a core.</p>\n",
                Html.escape(result.hadoop()),
                result.seed(),
                result.testAccuracy().isPresent()
                        ? "Workers are real PyTorch on the CPU."
                        : "Workers are real processes that use real CPU; a GPU step is a sleep.",
                result.coresPerVcore()));
    }

    private static void figure(StringBuilder page, String value, String name) {
        page.append("<div><b>")
                .append(Html.escape(value))
                .append("</b>")
                .append(Html.escape(name))
                .append("</div>");
    }

    private static int gpus(DemoResult result) {
        return result.nodes().stream().mapToInt(node -> node.devices().size()).sum();
    }

    private static void comparison(StringBuilder page, DemoResult result) {
        boolean compared = result.policies().size() > 1;
        page.append("<h2>Completion times</h2><div class=\"scroll\"><table><tr><th>job</th>");
        result.policies()
                .forEach(policy ->
                        page.append("<th>").append(Html.escape(policy)).append("</th>"));
        page.append(
                compared
                        ? "<th>ratio</th></tr>\n<tr class=\"mean\"><td>mean</td>"
                        : "</tr>\n<tr class=\"mean\"><td>mean</td>");
        result.policies().forEach(policy -> page.append(seconds(OptionalDouble.of(result.meanJctSeconds(policy)))));
        page.append(compared ? String.format(Locale.ROOT, "<td>%.2f</td></tr>%n", result.ratio()) : "</tr>\n");
        String first = result.policies().get(0);
        String last = result.policies().get(result.policies().size() - 1);
        for (String name : ComparisonText.names(result)) {
            page.append("<tr><td>").append(Html.escape(name)).append("</td>");
            result.policies().forEach(policy -> page.append(seconds(result.jctSeconds(name, policy))));
            if (compared) {
                double ratio = result.jctSeconds(name, last).orElse(Double.NaN)
                        / result.jctSeconds(name, first).orElse(Double.NaN);
                page.append(String.format(Locale.ROOT, "<td>%.2f</td>", ratio));
            }
            page.append("</tr>\n");
        }
        page.append("</table></div>\n<p>")
                .append(Html.escape(ComparisonText.cpu(result).strip()))
                .append(".</p>\n");
    }

    private static String seconds(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "<td>%.1f s</td>", value.getAsDouble()) : "<td>–</td>";
    }

    private static void timelines(StringBuilder page, DemoResult result) {
        double end = result.jobs().stream()
                .mapToDouble(job -> job.arrivalSeconds() + job.jctSeconds())
                .max()
                .orElse(1);
        for (String policy : result.policies()) {
            page.append("<h2>GPUs and vcores under ")
                    .append(Html.escape(policy))
                    .append(
                            "</h2><p>A lane is a job from its arrival to its end, dotted while it waits; its band is as high as it has"
                                    + " vcores, the number above says how many. Below, the GPUs of all jobs.</p><div class=\"scroll\">")
                    .append(TimelineChart.of(result.jobsUnder(policy), end, gpus(result)))
                    .append("</div>\n");
        }
    }

    private static void profiles(StringBuilder page, DemoResult result) {
        page.append("<h2>Measured speed over vcores, samples/s</h2><div class=\"cards\">");
        for (DemoResult.Job job : result.jobsUnder(result.policies().get(0))) {
            if (job.profile().size() > 1) {
                page.append("<figure><figcaption>")
                        .append(Html.escape(job.name()))
                        .append(gain(job.profile()))
                        .append("</figcaption>")
                        .append(ProfileChart.of(job))
                        .append("</figure>\n");
            }
        }
        page.append("</div>\n");
    }

    /** How much faster it is with the most vcores than with the fewest. */
    private static String gain(List<DemoResult.Point> points) {
        DemoResult.Point fewest = points.get(0);
        DemoResult.Point most = points.get(points.size() - 1);
        return fewest.samplesPerSecond() <= 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " <span>%.1f× from %d to %d vcores</span>",
                        most.samplesPerSecond() / fewest.samplesPerSecond(),
                        fewest.vcores(),
                        most.vcores());
    }

    private static void nodes(StringBuilder page, DemoResult result) {
        page.append(
                "<h2>Nodes</h2><div class=\"scroll\"><table><tr><th>node</th><th class=\"left\">GPUs</th><th class=\"left\">capacity</th></tr>\n");
        for (DemoResult.Node node : result.nodes()) {
            page.append("<tr><td>").append(Html.escape(node.name())).append("</td><td class=\"left\">");
            page.append(node.devices().size());
            node.devices().stream().map(DemoResult.Device::model).distinct().forEach(model -> page.append(" × ")
                    .append(Html.escape(model)));
            page.append("</td><td class=\"left wrap\">");
            page.append(Html.escape(node.capacity().entrySet().stream()
                    .map(entry -> amount(entry.getKey(), entry.getValue()))
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(", "))));
            page.append("</td></tr>\n");
        }
        page.append("</table></div>\n");
    }

    /** With its unit; empty for GPUs, which have a column of their own. */
    private static String amount(String resource, long value) {
        return switch (resource) {
            case "memory-mb" -> String.format(Locale.ROOT, "%.0f GiB", value / MIB_PER_GIB);
            case "vcores" -> value + " vcores";
            case "yarn.io/gpu" -> "";
            case "treadle.io/gpu-memory" -> String.format(Locale.ROOT, "%.0f GiB of GPU memory", value / MIB_PER_GIB);
            case "treadle.io/power" -> value + " W";
            case "treadle.io/storage-bandwidth" -> value + " MB/s";
            default -> resource + " " + value;
        };
    }
}
