// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.resource.ResourceVector;
import io.treadle.rm.bridge.StatusReport.Queue;
import io.treadle.rm.scheduler.QueueAdmission;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Leaf queues: what is theirs, what they hold, and how many jobs of Treadle's they have. */
final class QueueTable {
    private static final double MIB_PER_GIB = 1024;

    private final ClusterView view;
    private final Sorting sorting;

    QueueTable(ClusterView view, Sorting sorting) {
        this.view = view;
        this.sorting = sorting;
    }

    void write(Markup page) {
        List<Sorting.Column<Queue>> columns = List.of(
                Sorting.Column.text("name", "queue", Queue::name),
                Sorting.Column.text("policy", "policy", q -> view.policyOf().apply(q.name())),
                Sorting.Column.text("gpus", "GPUs", q -> q.used().gpus()),
                Sorting.Column.number("vcores", "vcores", q -> q.used().vcores()),
                Sorting.Column.number("memory", "memory, GiB", q -> q.used().memoryMiB()),
                Sorting.Column.plain("guaranteed"),
                Sorting.Column.number("running", "running", Queue::running),
                Sorting.Column.number("waiting", "waiting", Queue::waiting));
        Sorting.Shown<Queue> shown = sorting.shown("queues", columns, view.queues());
        ClusterPage.openTable(page, "queues", "Queues");
        sorting.heads(page, "queues", columns);
        page.open("tbody");
        for (Queue queue : shown.rows()) {
            ResourceVector used = queue.used();
            ResourceVector limit = queue.limit();
            page.open("tr")
                    .open("td", "id", "queue-" + queue.name())
                    .link("#queue-" + queue.name(), queue.name())
                    .close()
                    .element("td", view.policyOf().apply(queue.name()))
                    .open("td", "class", "nowrap");
            ClusterPage.bar(page, used.gpus(), limit.gpus(), used.gpus() + " of " + limit.gpus());
            page.close()
                    .element("td", used.vcores() + " of " + limit.vcores(), "class", "n")
                    .element("td", gib(used) + " of " + gib(limit), "class", "n")
                    .element("td", share(queue.guarantee()), "class", "nowrap")
                    .element("td", Integer.toString(queue.running()), "class", "n")
                    .element("td", Integer.toString(queue.waiting()), "class", "n")
                    .close();
        }
        page.close();
        ClusterPage.closeTable(page);
        sorting.pages(page, "queues", shown);
        Set<String> names = shown.rows().stream().map(Queue::name).collect(Collectors.toSet());
        writeAdmissions(
                page,
                view.admissions().stream()
                        .filter(admission -> names.contains(admission.queue()))
                        .toList());
    }

    /** How near the choice of jobs comes to the best. */
    static void writeAdmissions(Markup page, List<QueueAdmission> admissions) {
        admissions.forEach(admission -> page.element("p", admission.text() + "."));
    }

    static String gib(ResourceVector amounts) {
        return String.format(Locale.ROOT, "%,.1f", amounts.memoryMiB() / MIB_PER_GIB);
    }

    private static String share(ResourceVector guarantee) {
        return guarantee.gpus() + " GPUs, " + guarantee.vcores() + " vcores, " + gib(guarantee) + " GiB";
    }
}
