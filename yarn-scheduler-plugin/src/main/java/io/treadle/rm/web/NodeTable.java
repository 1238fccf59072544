// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.DevicePower;
import io.treadle.core.wire.NodeRecord;
import io.treadle.rm.bridge.StatusReport.Node;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Nodes, each with a cell for every GPU. */
final class NodeTable {
    private final ClusterView view;
    private final Links links;
    private final Sorting sorting;

    NodeTable(ClusterView view, Links links, Sorting sorting) {
        this.view = view;
        this.links = links;
        this.sorting = sorting;
    }

    void write(Markup page) {
        List<Sorting.Column<Node>> columns = List.of(
                Sorting.Column.text("name", "node", Node::node),
                Sorting.Column.text("rack", "rack", Node::rack),
                Sorting.Column.plain("GPUs"),
                Sorting.Column.number("gpus", "in use", n -> n.used().gpus()),
                Sorting.Column.number("vcores", "vcores", n -> n.used().vcores()),
                Sorting.Column.number("memory", "memory, GiB", n -> n.used().memoryMiB()),
                Sorting.Column.number("watts", "GPU watts", NodeTable::watts));
        Sorting.Shown<Node> shown = sorting.shown("nodes", columns, view.nodes());
        DeviceHolders holders = new DeviceHolders(
                view.jobs(), shown.rows().stream().map(Node::node).collect(Collectors.toSet()));
        ClusterPage.openTable(page, "nodes", "Nodes");
        sorting.heads(page, "nodes", columns);
        page.open("tbody");
        for (Node node : shown.rows()) {
            row(page, node, holders);
        }
        page.close();
        ClusterPage.closeTable(page);
        sorting.pages(page, "nodes", shown);
        page.element(
                "p",
                "A cell is a GPU, in the colour of its job; hatched: handed out in slices; grey: held by what is not"
                        + " yours to see or by another application; red: lost.",
                "class",
                "soft");
    }

    private void row(Markup page, Node node, DeviceHolders holders) {
        page.open("tr").open("td", "class", "nowrap");
        page.link(Links.node(node.httpAddress()), node.node());
        if (node.silentMs() > 0) {
            page.element(
                    "span",
                    " silent for " + node.silentMs() / 1000 + " s",
                    "class",
                    "soft",
                    "title",
                    "Its NodeManager has said nothing for so long: no task starts there before it does");
        }
        if (!node.kept().isZero()) {
            page.element(
                    "span",
                    " kept for a waiting job: " + node.kept().describe(),
                    "class",
                    "soft",
                    "title",
                    "What becomes free there, up to so much, goes to a job that its queue's guarantee covers");
        }
        page.close();
        page.element("td", node.rack()).open("td", "class", "nowrap");
        for (NodeRecord.Device device : node.devices()) {
            cell(page, DeviceCell.of(node.node(), device, holders));
        }
        if (node.devices().isEmpty()) {
            page.element("span", node.capacity().gpus() == 0 ? "none" : "its plugin has not spoken", "class", "soft");
        } else {
            page.element("span", models(node), "class", "soft cells");
        }
        page.close()
                .element("td", node.used().gpus() + " of " + node.capacity().gpus(), "class", "n")
                .element("td", node.used().vcores() + " of " + node.capacity().vcores(), "class", "n")
                .element("td", QueueTable.gib(node.used()) + " of " + QueueTable.gib(node.capacity()), "class", "n")
                .open("td", "class", "n")
                .text(power(node));
        trouble(node).ifPresent(text -> page.element("span", " ⚠", "title", text, "aria-label", text));
        page.close().close();
    }

    private void cell(Markup page, DeviceCell cell) {
        String style = cell.colour().isEmpty() ? "" : "background-color:" + cell.colour();
        if (cell.jobs().isEmpty()) {
            page.element("span", cell.text(), "class", "cell " + cell.kind(), "title", cell.title());
        } else {
            page.element(
                    "a",
                    cell.text(),
                    "class",
                    "cell " + cell.kind(),
                    "style",
                    style,
                    "title",
                    cell.title(),
                    "href",
                    links.job(cell.jobs().get(0).gang().id()));
        }
    }

    private static String models(Node node) {
        return node.devices().stream()
                .map(NodeRecord.Device::model)
                .distinct()
                .reduce((a, b) -> a + ", " + b)
                .orElse("");
    }

    /** Why a cap that is wanted is not in force. */
    private static Optional<String> trouble(Node node) {
        return node.devices().stream()
                .flatMap(device -> device.power().stream())
                .map(DevicePower::trouble)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    private static Double watts(Node node) {
        return node.devices().stream().mapToDouble(NodeRecord.Device::watts).sum();
    }

    private static String power(Node node) {
        double caps =
                node.devices().stream().mapToDouble(NodeRecord.Device::capWatts).sum();
        if (watts(node) == 0) {
            return JobText.NONE;
        }
        String now = String.format(Locale.ROOT, "%,.0f", watts(node));
        return caps > 0 ? now + String.format(Locale.ROOT, " of %,.0f", caps) : now;
    }
}
