// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import static io.treadle.am.service.ServiceStatus.percentile;

import io.treadle.am.query.master.DeskFigures;
import io.treadle.am.query.master.ModelFacts;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.web.Html;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A service's page: its workers with the models that they hold and what waits on them, and how fast each workflow answers. */
final class ServicePage {
    private static final double KB_A_MIB = 1048.576;

    private ServicePage() {}

    static String render(ServiceStatus service) {
        StringBuilder page = new StringBuilder(8192);
        Html.begin(
                page,
                service.name(),
                service.applicationId() + " · " + service.user() + " · service, " + service.policy() + " · answers at "
                        + service.address()
                        + (service.mode() == ServiceSpec.Mode.PEER ? ", and each worker" : ""));
        figures(page, service);
        workflows(page, service);
        workers(page, service);
        models(page, service);
        return Html.end(page);
    }

    private static void figures(StringBuilder page, ServiceStatus service) {
        long answered = service.figures().workflows().stream()
                .mapToLong(DeskFigures.WorkflowFigures::answered)
                .sum();
        long ready = service.members().stream()
                .filter(member -> member.state().equals("ready"))
                .count();
        page.append("<div class=\"figures\">");
        Html.figure(page, service.state(), "state");
        Html.figure(page, ready + " of " + service.wanted(), "workers");
        Html.figure(page, String.format(Locale.ROOT, "%,d", answered), "queries answered");
        Html.figure(page, Integer.toString(service.figures().active()), "on their way");
        Html.figure(page, Math.round(100 * service.hitRate()) + " %", "tasks that found their model");
        page.append("</div>");
        service.refusal().ifPresent(why -> page.append("<p class=\"note\">")
                .append(Html.escape(why))
                .append("</p>"));
    }

    private static void head(StringBuilder page, String title, String... columns) {
        page.append("<h2>").append(title).append("</h2><div class=\"scroll\"><table><tr>");
        for (String column : columns) {
            // Numbers stand to the right.
            boolean isNumber = column.startsWith("#");
            page.append(isNumber ? "<th class=\"n\">" : "<th>")
                    .append(isNumber ? column.substring(1) : column)
                    .append("</th>");
        }
        page.append("</tr>");
    }

    private static void text(StringBuilder page, String value) {
        page.append("<td>").append(Html.escape(value)).append("</td>");
    }

    /** As many lines as it takes: what stands after it is to stay in sight. */
    private static void list(StringBuilder page, Stream<String> values) {
        page.append("<td class=\"w\">")
                .append(Html.escape(values.collect(Collectors.joining(", "))))
                .append("</td>");
    }

    private static void number(StringBuilder page, String value) {
        page.append("<td class=\"n\">").append(value).append("</td>");
    }

    private static void workflows(StringBuilder page, ServiceStatus service) {
        head(page, "Workflows", "name", "#answered", "#failed", "#late", "#mean ms", "#p50", "#p95", "#p99", "tasks");
        for (DeskFigures.WorkflowFigures each : service.figures().workflows()) {
            List<Double> latencies = each.latenciesMs();
            page.append("<tr>");
            text(page, each.name());
            number(page, Long.toString(each.answered()));
            number(page, Long.toString(each.failed()));
            number(page, Long.toString(each.late()));
            number(
                    page,
                    Html.number(
                            latencies.stream().mapToDouble(ms -> ms).average().orElse(0)));
            number(page, Html.number(percentile(latencies, 0.5)));
            number(page, Html.number(percentile(latencies, 0.95)));
            number(page, Html.number(percentile(latencies, 0.99)));
            list(
                    page,
                    each.tasks().stream()
                            .map(task -> task.name() + " "
                                    + (task.isMeasured() ? Html.number(task.runMs()) + " ms" : "not measured")));
            page.append("</tr>");
        }
        page.append("</table></div><p class=\"sub\">Latencies of the last 1,000 answers of each")
                .append(service.mode() == ServiceSpec.Mode.PEER ? ", and of the last 200 of each worker" : "")
                .append(".</p>");
    }

    private static void workers(StringBuilder page, ServiceStatus service) {
        boolean isPeer = service.mode() == ServiceSpec.Mode.PEER;
        head(
                page,
                "Workers",
                "container",
                "state",
                "#queue ms",
                "#waiting",
                "#tasks",
                "#loads",
                "#MiB free",
                "models",
                "node",
                isPeer ? "answers at" : "listens at",
                "logs");
        for (MemberView member : service.members()) {
            Optional<DeskFigures.Worker> worker = service.worker(member);
            page.append("<tr>");
            text(page, member.containerId());
            text(page, member.state());
            number(page, worker.map(each -> Html.number(each.waitMs())).orElse(""));
            number(page, worker.map(each -> Integer.toString(each.queued())).orElse(""));
            number(page, worker.map(each -> Long.toString(each.tasks())).orElse(""));
            number(page, worker.map(each -> Long.toString(each.loads())).orElse(""));
            number(
                    page,
                    worker.map(each -> Html.number(each.freeKb() / KB_A_MIB) + " of "
                                    + Html.number(each.capacityKb() / KB_A_MIB))
                            .orElse(""));
            list(
                    page,
                    worker.map(each -> each.models().stream()
                                    .map(service::modelName)
                                    .sorted())
                            .orElse(Stream.empty()));
            text(page, member.node());
            text(
                    page,
                    worker.map(each -> isPeer ? each.ingress() : each.port())
                            .filter(port -> port > 0)
                            .map(port -> member.host() + ":" + port)
                            .orElse(""));
            page.append("<td><a href=\"http://")
                    .append(Html.escape(member.nodeHttpAddress()))
                    .append("/node/containerlogs/")
                    .append(Html.escape(member.containerId()))
                    .append('/')
                    .append(Html.escape(service.user()))
                    .append("\">logs</a></td></tr>");
        }
        page.append("</table></div>");
    }

    private static void models(StringBuilder page, ServiceStatus service) {
        head(page, "Models", "name", "#MiB", "#load ms", "#workers that hold it");
        for (int i = 0; i < service.models().size(); i++) {
            ModelFacts model = service.models().get(i);
            int id = i;
            page.append("<tr>");
            text(page, model.name());
            number(page, Html.number(model.kb() / KB_A_MIB));
            number(page, Html.number(model.loadMs()));
            number(
                    page,
                    Long.toString(service.figures().workers().stream()
                            .filter(worker -> worker.models().contains(id))
                            .count()));
            page.append("</tr>");
        }
        page.append("</table></div>");
    }
}
