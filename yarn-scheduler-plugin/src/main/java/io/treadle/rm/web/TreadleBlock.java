// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.google.inject.Inject;
import io.treadle.core.wire.JobProgressRecord;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.webapp.view.HtmlBlock;

/** Queues, jobs and nodes, for an admin who looks. Tables sort by the query parameter {@code sort}, without JavaScript. */
public final class TreadleBlock extends HtmlBlock {
    private static final Map<String, Comparator<StatusReport.Job>> JOB_ORDERS = Map.of(
            "submitted", Comparator.comparingLong(j -> j.gang().submitMs()),
            "name", Comparator.comparing(j -> j.gang().name()),
            "user", Comparator.comparing(j -> j.gang().user()),
            "queue", Comparator.comparing(j -> j.gang().queue()),
            "state", Comparator.comparing(StatusReport.Job::state));

    private final ResourceManager resourceManager;

    @Inject
    TreadleBlock(ResourceManager resourceManager, ViewContext context) {
        super(context);
        this.resourceManager = resourceManager;
    }

    @Override
    protected void render(Block html) {
        html.style(PageStyle.CSS);
        if (!(resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler)) {
            html.p()
                    .__("This ResourceManager runs another scheduler. Set yarn.resourcemanager.scheduler.class to "
                            + TreadleScheduler.class.getName() + ".")
                    .__();
            return;
        }
        StatusReport report = scheduler.report();
        String user = request().getRemoteUser();
        UserGroupInformation caller = user == null ? null : UserGroupInformation.createRemoteUser(user);
        List<Gang> gangs = scheduler.gangs().all();
        List<StatusReport.Job> jobs = gangs.stream()
                .filter(g -> TreadleResource.Access.mayView(resourceManager, caller, g))
                .map(report::job)
                .toList();
        List<StatusReport.Node> nodes = report.nodes();
        figures(html, jobs, nodes);
        queues(html, scheduler, report, gangs);
        jobs(html, scheduler, jobs);
        nodes(html, nodes, jobs);
    }

    private static void figures(Block html, List<StatusReport.Job> jobs, List<StatusReport.Node> nodes) {
        long gpus = nodes.stream().mapToLong(n -> n.capacity().gpus()).sum();
        long used = nodes.stream().mapToLong(n -> n.used().gpus()).sum();
        double watts =
                devices(nodes).stream().mapToDouble(NodeRecord.Device::watts).sum();
        double caps =
                devices(nodes).stream().mapToDouble(NodeRecord.Device::capWatts).sum();
        double kilowattHours = devices(nodes).stream()
                        .mapToLong(NodeRecord.Device::energyMillijoules)
                        .sum()
                / 3.6e9;
        long running = jobs.stream().filter(j -> !j.tasks().isEmpty()).count();
        boolean simulated = devices(nodes).stream().anyMatch(NodeRecord.Device::simulated);
        html.div(".treadle-figures")
                .span()
                .b(used + " of " + gpus)
                .__(" GPUs in use" + (simulated ? " (simulated)" : ""))
                .__()
                .span()
                .b(String.format(Locale.ROOT, "%.0f W", watts))
                .__(String.format(Locale.ROOT, " of at most %.0f W drawn by GPUs", caps))
                .__()
                .span()
                .b(Long.toString(running))
                .__(" jobs running, ")
                .b(Long.toString(jobs.size() - running))
                .__(" waiting")
                .__()
                .span()
                .b(String.format(Locale.ROOT, "%.2f kWh", kilowattHours))
                .__(" since the drivers started")
                .__()
                .__();
    }

    private static List<NodeRecord.Device> devices(List<StatusReport.Node> nodes) {
        return nodes.stream().flatMap(n -> n.devices().stream()).toList();
    }

    private static void queues(Block html, TreadleScheduler scheduler, StatusReport report, List<Gang> gangs) {
        html.h3("Queues");
        var body = html.table(".treadle")
                .thead()
                .tr()
                .th("queue")
                .th("policy")
                .th("used")
                .th("at most")
                .th("running")
                .th("waiting")
                .__()
                .__()
                .tbody();
        for (String path : report.leafQueues()) {
            Optional<StatusReport.Queue> queue = report.queue(path, gangs);
            queue.ifPresent(q -> body.tr()
                    .td(q.name())
                    .td(scheduler.policyName(q.name()))
                    .td(q.used().describe())
                    .td(q.limit().describe())
                    .td(Integer.toString(q.running()))
                    .td(Integer.toString(q.waiting()))
                    .__());
        }
        body.__().__();
    }

    private void jobs(Block html, TreadleScheduler scheduler, List<StatusReport.Job> jobs) {
        html.h3("Jobs");
        Comparator<StatusReport.Job> order = JOB_ORDERS.getOrDefault(
                $("sort"),
                Comparator.comparingLong((StatusReport.Job j) -> j.gang().submitMs())
                        .reversed());
        var body = html.table(".treadle")
                .thead()
                .tr()
                .th()
                .a("?sort=submitted", "id")
                .__()
                .th()
                .a("?sort=name", "name")
                .__()
                .th()
                .a("?sort=user", "user")
                .__()
                .th()
                .a("?sort=queue", "queue")
                .__()
                .th("gang")
                .th()
                .a("?sort=state", "state")
                .__()
                .th("vcores")
                .th("useful")
                .th("samples/s")
                .th("done")
                .th("why")
                .__()
                .__()
                .tbody();
        for (StatusReport.Job job : jobs.stream().sorted(order).toList()) {
            String id = job.gang().id().toString();
            body.tr()
                    .td()
                    .a(url("app", id), id)
                    .__()
                    .td(job.gang().name())
                    .td(job.gang().user())
                    .td(job.gang().queue() + " ("
                            + scheduler.policyName(job.gang().queue()) + ")")
                    .td(job.tasks().size() + "/" + job.members())
                    .td(job.state())
                    .td(job.tasks().stream()
                            .map(t -> Long.toString(t.size().vcores()))
                            .distinct()
                            .collect(Collectors.joining(", ")))
                    .td(JobText.useful(job))
                    .td(job.progress()
                            .map(p -> String.format(Locale.ROOT, "%.1f", p.samplesPerSecond()))
                            .orElse("–"))
                    .td(job.progress()
                            .map(JobProgressRecord::samples)
                            .map(s -> JobText.done(s, job.gang().spec().totalSamples()))
                            .orElse("–"))
                    .td(job.gang().reason())
                    .__();
        }
        body.__().__();
    }

    private static void nodes(Block html, List<StatusReport.Node> nodes, List<StatusReport.Job> jobs) {
        html.h3("Nodes");
        var body = html.table(".treadle")
                .thead()
                .tr()
                .th("node")
                .th("GPUs, each a cell coloured by its job")
                .th("used")
                .th("of")
                .th("GPU watts")
                .__()
                .__()
                .tbody();
        for (StatusReport.Node node : nodes) {
            double watts = node.devices().stream()
                    .mapToDouble(NodeRecord.Device::watts)
                    .sum();
            var cells = body.tr().td(node.node()).td();
            for (DeviceCell cell : DeviceCell.of(node, jobs)) {
                cells.span()
                        .$class("treadle-cell " + cell.kind())
                        .$style(cell.style())
                        .$title(cell.title())
                        .__(cell.text())
                        .__();
            }
            cells.__()
                    .td(node.used().describe())
                    .td(node.capacity().describe())
                    .td(String.format(Locale.ROOT, "%.0f", watts))
                    .__();
        }
        body.__().__();
    }
}
