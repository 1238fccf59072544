// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import io.treadle.am.client.ServiceAddress;
import io.treadle.am.client.TreadleClient;
import io.treadle.cluster.EmbeddedCluster;
import io.treadle.demo.DemoCluster;
import io.treadle.demo.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A service on the cluster under one policy after the other, each asked the same while a job trains beside it. */
public final class ServeRun {
    /** Those of the job beside the services: its ApplicationMaster and its worker. */
    private static final int BESIDE = 2;

    /**
     * What was seen.
     *
     * @param last the service that was asked last
     * @param training the job beside them
     * @param trained samples that it trained while services were asked
     * @param trainedOn whether it did so under each policy, and still runs
     */
    public record Outcome(
            ServeResult result, ApplicationId last, ApplicationId training, long trained, boolean trainedOn) {}

    private final EmbeddedCluster cluster;
    private final TreadleClient client;
    private final DemoModels models;
    private final Digits heldOut;
    private final ServePlan plan;
    private final Screen screen;
    private final TrainingBeside training;
    private final List<Arrival> warmUp;
    private final List<Arrival> arrivals;
    private final List<PolicyRun> runs = new ArrayList<>();
    private long trained;
    private boolean trainedOn = true;

    private ServeRun(
            EmbeddedCluster cluster,
            TreadleClient client,
            DemoModels models,
            Digits heldOut,
            ServePlan plan,
            Screen screen) {
        this.cluster = cluster;
        this.client = client;
        this.models = models;
        this.heldOut = heldOut;
        this.plan = plan;
        this.screen = screen;
        warmUp = arrivals(plan.warmUp(), ~plan.seed());
        arrivals = arrivals(plan.queries(), plan.seed());
        training = TrainingBeside.submit(client, cluster.workDirectory().resolve("scripts"));
    }

    /**
     * Runs all of it. The job trains on afterwards.
     *
     * @param heldOut images to ask about, which the models never saw
     * @param keepLast whether the last service stays
     */
    public static Outcome run(
            EmbeddedCluster cluster, DemoModels models, Digits heldOut, ServePlan plan, boolean keepLast, Screen screen)
            throws InterruptedException {
        DemoCluster.describe(cluster);
        try (TreadleClient client = TreadleClient.connect(new Configuration(cluster.configuration()))) {
            return new ServeRun(cluster, client, models, heldOut, plan, screen).run(keepLast);
        }
    }

    private List<Arrival> arrivals(int count, long seed) {
        return Arrivals.poisson(models.mix(), plan.perSecond(), count, heldOut.count(), seed);
    }

    private Outcome run(boolean keepLast) throws InterruptedException {
        training.awaitTraining();
        screen.line(" " + training.id() + " trains beside the services, on a simulated GPU of its own");
        Optional<DemoService> last = Optional.empty();
        for (String policy : plan.policies()) {
            if (last.isPresent()) {
                end(last.get());
            }
            last = Optional.of(ask(shape(policy)));
        }
        DemoService service = last.orElseThrow();
        if (!keepLast) {
            end(service);
        }
        return new Outcome(
                new ServeResult(runs, plan.perSecond(), setting()),
                service.id(),
                training.id(),
                trained,
                trainedOn && training.isRunning());
    }

    private ServiceShape shape(String policy) {
        return ServiceShape.half(models.files(), policy, plan.workers());
    }

    private DemoService ask(ServiceShape shape) throws InterruptedException {
        DemoService service = DemoService.submit(client, models.service(shape));
        screen.line("");
        screen.line(" " + shape.policy() + ": " + service.id() + " starts " + plan.workers() + " workers");
        service.awaitReady(plan.workers());
        ServiceAddress address = service.address();
        screen.line("   ready at http://" + address.host() + ":" + address.port());
        // The first queries run code that no JVM has compiled yet; whoever is first would pay for all.
        QueryLoad.run(DemoService.uri(address), address.secret(), warmUp, heldOut, progress -> {});
        ServeFigures before = service.figures();
        long samples = training.samples();
        List<Answered> answers;
        try (LoadWatch watch = new LoadWatch(service::glance, screen)) {
            answers = QueryLoad.run(DemoService.uri(address), address.secret(), arrivals, heldOut, watch);
        }
        long more = training.samples() - samples;
        ServeFigures figures = service.figures().since(before);
        trained += Math.max(0, more);
        trainedOn &= more > 0;
        PolicyRun run = new PolicyRun(shape.policy(), answers, Optional.of(figures));
        runs.add(run);
        screen.line(String.format(
                Locale.ROOT,
                "   %,d models run for %,d queries, %,d loaded (%.0f %% were there); the job beside it did %,d samples",
                figures.tasks(),
                answers.size(),
                figures.loads(),
                100 * figures.hitRate(),
                more));
        screen.line("   held at the end: " + figures.heldInWords());
        return service;
    }

    /** Returns once its containers are gone, so that the next finds what it found. */
    private void end(DemoService service) throws InterruptedException {
        service.kill();
        DemoCluster.awaitContainers(cluster, BESIDE);
    }

    private String setting() {
        ServiceShape shape = shape(plan.policies().get(0));
        long all = models.files().stream().mapToLong(ModelFile::memoryMiB).sum();
        return String.format(
                Locale.ROOT,
                "%d workers, each with %d MiB of a simulated GPU's memory for %d models of %d MiB together, which run on"
                        + " the CPU (%d cores for all of it); a job trains beside them.",
                shape.workers(),
                shape.modelMemoryMiB(),
                models.files().size(),
                all,
                Runtime.getRuntime().availableProcessors());
    }
}
