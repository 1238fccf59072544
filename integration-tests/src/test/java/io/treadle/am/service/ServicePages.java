// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import io.treadle.am.query.master.DeskFigures;
import io.treadle.am.query.master.ModelFacts;
import io.treadle.am.spec.ServiceSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Pages of a service that is larger than those that tests run: many models, long names, and one worker that starts. */
public final class ServicePages {
    private static final int MODELS = 12;

    private ServicePages() {}

    /** The ApplicationMaster takes all queries. */
    public static String central() {
        return page(ServiceSpec.Mode.CENTRAL, 0);
    }

    /** Workers take queries, too. */
    public static String peer() {
        return page(ServiceSpec.Mode.PEER, 40_123);
    }

    private static String page(ServiceSpec.Mode mode, int ingress) {
        List<Integer> all = IntStream.range(0, MODELS).boxed().toList();
        List<MemberView> members = new ArrayList<>();
        List<DeskFigures.Worker> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String host = "gpu-node-" + i + ".cluster.example.org";
            members.add(new MemberView(
                    "container_e17_1785000000000_0007_01_00000" + (i + 2), "ready", host, host + ":8042", host, 7001));
            workers.add(new DeskFigures.Worker(
                    host, 7001, ingress, 12.5 * i, i, all, 4e6, 1e6, 12_000, 240, 90_000, false));
        }
        String late = "gpu-node-3.cluster.example.org";
        members.add(
                new MemberView("container_e17_1785000000000_0007_01_000005", "starting", late, late + ":8042", "", 0));
        DeskFigures figures = new DeskFigures(
                3,
                90_000,
                workers,
                List.of(
                        new DeskFigures.WorkflowFigures(
                                "a <b>" + "x".repeat(40), 36_000, 3, 12, List.of(8.0, 25.0), tasks()),
                        new DeskFigures.WorkflowFigures("unasked", 0, 0, 0, List.of(), tasks())),
                List.of());
        ServiceStatus status = new ServiceStatus(
                "digits <script>document.title='broken'</script>",
                "application_1785000000000_0007",
                "ann",
                mode,
                "compass",
                "ready",
                Optional.empty(),
                "gpu-node-0.cluster.example.org:40123",
                1,
                3600,
                4,
                members,
                all.stream()
                        .map(id -> new ModelFacts("encoder-" + id, 2e5, 40, 0, List.of(), List.of()))
                        .toList(),
                figures);
        return ServicePage.render(status);
    }

    private static List<DeskFigures.TaskFigures> tasks() {
        return List.of(
                new DeskFigures.TaskFigures("embed", 3.5, 0.5, true, 7, 24.5, List.of()),
                new DeskFigures.TaskFigures("classify", 0, 0, false, 0, 0, List.of()));
    }
}
