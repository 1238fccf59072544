// SPDX-License-Identifier: Apache-2.0
package io.treadle.live.queries;

import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.GatedScreen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A service under loads, and what the simulator makes of the same queries.
 *
 * @param warmUpSeconds of each load, from which the profile comes
 * @param seconds of each load after that, which are measured
 * @param seed of the arrivals
 */
record LoadedRuns(
        EmbeddedCluster cluster, Path directory, GatedScreen screen, double warmUpSeconds, double seconds, long seed) {
    private static final double MS = 1e3;
    private static final int WARM_UP = 15;

    List<Beside> run(String policy, List<Double> loads) throws InterruptedException {
        Path file = ServiceTexts.loaded(directory, policy);
        try (RunningService service = RunningService.start(cluster, file)) {
            HttpQueries queries = new HttpQueries(service.address());
            warmUp(queries);
            Overheads overheads = Overheads.measure(queries, service::profile);
            double capacity = new QueriesForecast(file, service.profile(), overheads)
                    .capacity(ServiceTexts.MIX, ServiceTexts.WORKERS);
            List<Beside> results = new ArrayList<>();
            for (double load : loads) {
                screen.line(String.format(
                        Locale.ROOT, "%s: %.1f queries a second, load %.1f", policy, load * capacity, load));
                results.add(run(service, queries, file, overheads, policy, load, load * capacity));
            }
            return results;
        }
    }

    /** Workers and master compile what they run often. */
    private static void warmUp(HttpQueries queries) {
        for (int i = 0; i < WARM_UP; i++) {
            ServiceTexts.MIX.forEach(
                    workflow -> queries.ask(workflow, queries.request(workflow)).join());
        }
    }

    private Beside run(
            RunningService service,
            HttpQueries queries,
            Path file,
            Overheads overheads,
            String policy,
            double load,
            double perSecond)
            throws InterruptedException {
        List<Arrival> arrivals = Arrival.poisson(ServiceTexts.MIX, perSecond, warmUpSeconds + seconds, seed);
        long before = queries.asked();
        ServiceProfile begun = service.profile();
        OpenLoad.Answered<ServiceProfile> answered =
                OpenLoad.run(queries, arrivals, warmUpSeconds * MS, service::profile);
        List<Double> live = answered.latenciesMs();
        ServiceProfile profile = answered.then().since(begun);
        ServiceProfile measured = service.profile().since(answered.then());
        List<Double> foretold =
                new QueriesForecast(file, profile, overheads).latencies(arrivals, policy, ServiceTexts.WORKERS, before);
        List<Double> simulated = new QueriesForecast(file, measured, overheads)
                .latencies(arrivals, policy, ServiceTexts.WORKERS, before);
        int first = (int) arrivals.stream()
                .filter(arrival -> arrival.atMs() < warmUpSeconds * MS)
                .count();
        return new Beside(
                policy,
                load,
                perSecond,
                live.subList(first, live.size()),
                simulated.subList(first, simulated.size()),
                foretold.subList(first, foretold.size()),
                overheads,
                drift(profile, measured),
                busyMs(measured) / (ServiceTexts.WORKERS * seconds * MS));
    }

    /** Tasks weighed by how often they ran while they were measured. */
    private static double drift(ServiceProfile profile, ServiceProfile measured) {
        double foreseenMs = 0;
        for (var task : measured.tasks().entrySet()) {
            ServiceProfile.Runs known = profile.tasks().get(task.getKey());
            foreseenMs += known == null ? 0 : task.getValue().count() * known.meanMs();
        }
        return busyMs(measured) / foreseenMs;
    }

    private static double busyMs(ServiceProfile measured) {
        return measured.tasks().values().stream()
                .mapToDouble(ServiceProfile.Runs::allMs)
                .sum();
    }
}
