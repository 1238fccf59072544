// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists that published simulators ran too, where they lie on this machine; else lists of the same size that are drawn. */
final class KnownLists {
    private static final int HEAP_MB = 256;
    private static final int SYNERGY_NODES = 16;
    private static final int SYNERGY_JOBS = 24_000;
    private static final int HELIOS_JOBS = 68_503;
    private static final int HELIOS_NODES = 159;
    private static final double HELIOS_LOAD = .37;
    private static final int OPENB_NODES = 1213;

    private final Path data;
    private final Lists lists;
    private final List<String> missing = new ArrayList<>();

    /** @param data a directory that holds {@code traces} and {@code synergy} */
    KnownLists(Path data, Lists lists) {
        this.data = data;
        this.lists = lists;
    }

    List<Work> works() {
        return Stream.of(helios(), synergy(), openb()).flatMap(List::stream).toList();
    }

    /** What was not found and is not measured, a line each. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    private List<Work> helios() {
        Path jobs = data.resolve("traces/oracle-helios/jobs.csv.gz");
        Path nodes = data.resolve("traces/oracle-helios/vc_nodes.csv");
        if (!areThere(jobs, nodes)) {
            missing.add(
                    jobs + " is not there: a list of as many jobs like Philly's takes its place, beside nobody's cost");
            Path drawn = lists.jobs("philly", HELIOS_JOBS, HELIOS_NODES, HELIOS_LOAD);
            String cluster = lists.cluster(HELIOS_NODES).toString();
            return Stream.of("fifo", "sjf", "srtf")
                    .map(policy -> Work.of(
                            "like philly " + policy,
                            policy.equals("srtf")
                                    ? ProbeRequest.of(drawn, cluster, policy).preempting()
                                    : ProbeRequest.of(drawn, cluster, policy),
                            HELIOS_NODES,
                            HEAP_MB))
                    .toList();
        }
        return List.of(
                helios(jobs, nodes, "fifo", Published.HELIOS_FIFO),
                helios(jobs, nodes, "sjf", Published.HELIOS_SJF),
                helios(jobs, nodes, "qssf", Published.HELIOS_OTHER),
                helios(jobs, nodes, "srtf", Published.HELIOS_OTHER));
    }

    private static Work helios(Path jobs, Path nodes, String policy, Published published) {
        ProbeRequest request = ProbeRequest.of(jobs, nodes.toString(), policy).like("helios");
        return Work.of("helios " + policy, request, HELIOS_NODES, HEAP_MB).beside(published);
    }

    private List<Work> synergy() {
        Path jobs = data.resolve("synergy/lists/standin_load9_20-70-10_r3_seed42.csv.gz");
        boolean isThere = areThere(jobs);
        if (!isThere) {
            missing.add(jobs + " is not there: a list that Synergy's generator would draw takes its place");
        }
        Path list = isThere ? jobs : lists.synergy(SYNERGY_JOBS);
        ProbeRequest request = ProbeRequest.of(list, "synergy-128", "fifo+synergy-tune")
                .like("synergy")
                .measuring("4000:5000");
        Work work = Work.of("synergy fifo+tune", request, SYNERGY_NODES, HEAP_MB);
        return List.of(isThere ? work.beside(Published.SYNERGY) : work);
    }

    private List<Work> openb() {
        Path pods = data.resolve("traces/oracle-fragmentation-seed42.csv.gz");
        Path nodes = data.resolve("traces/alibaba/openb_node_list_gpu_node.csv.gz");
        if (!areThere(pods, nodes)) {
            missing.add(pods + " is not there: openb is left out");
            return List.of();
        }
        ProbeRequest request = ProbeRequest.of(pods, nodes.toString(), "fifo").placedBy("best-fit");
        return List.of(Work.of("openb best-fit", request, OPENB_NODES, HEAP_MB).beside(Published.FGD));
    }

    private static boolean areThere(Path... files) {
        return Stream.of(files).allMatch(Files::isRegularFile);
    }
}
