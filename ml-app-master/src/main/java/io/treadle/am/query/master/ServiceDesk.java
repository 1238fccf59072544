// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.master;

import io.treadle.am.query.ingress.QueryException;
import io.treadle.am.query.ingress.QueryService;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.wire.FrameCodec;
import io.treadle.am.query.wire.Message;
import io.treadle.am.query.wire.Message.Setup;
import io.treadle.am.query.wire.QueryIds;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.core.query.Adjustment;
import io.treadle.core.query.Costs;
import io.treadle.core.query.Dispatchers;
import io.treadle.core.query.Model;
import io.treadle.core.query.QueueOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service's queries and its workers. The master's first worker loads each model once, to see what it is and takes, and answers
 * each workflow with zeros; then the service is ready. Where workers are peers, each of them has such a desk, too, which knows
 * from the beginning what the master's has found out.
 */
public final class ServiceDesk implements QueryService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceDesk.class);
    private static final double KB_A_MIB = 1048.576;
    private static final Adjustment ADJUSTMENT = new Adjustment(Adjustment.Rule.GAIN, 1.5);
    /** Of all tensors of a message. */
    private static final int MOST_FRAME_BYTES = 256 << 20;
    /** Latencies of a workflow that the master hears of. */
    private static final int TOLD_LATENCIES = 200;

    /** @param outputs of workflows, by their names */
    private record Open(
            QueryDesk desk,
            DeskService service,
            List<Workflow> workflows,
            Setup setup,
            Map<String, List<TensorSpec>> outputs) {}

    private final ServiceSpec spec;
    private final String prefix;
    private final boolean isMaster;
    private final WorkerLinks links;
    private volatile List<ModelFacts> facts;
    private volatile Optional<Open> open = Optional.empty();
    private final AtomicBoolean isWarming = new AtomicBoolean();
    private volatile boolean isMeasured;
    private volatile List<String> others = List.of();

    private ServiceDesk(ServiceSpec spec, String secret, String name, String prefix, List<ModelFacts> known) {
        this.spec = spec;
        this.prefix = prefix;
        isMaster = name.equals(Message.MASTER);
        links = new WorkerLinks(new FrameCodec(MOST_FRAME_BYTES), secret, name);
        facts = known.size() == spec.models().size() ? List.copyOf(known) : List.of();
    }

    /**
     * @param secret that workers know
     * @param attempt number of the ApplicationMaster's
     * @param known of each model, in the specification's order, by an earlier master; empty where there was none
     */
    public static ServiceDesk ofMaster(ServiceSpec spec, String secret, int attempt, List<ModelFacts> known) {
        return new ServiceDesk(spec, secret, Message.MASTER, QueryIds.ofMaster(attempt), known);
    }

    /**
     * @param secret that workers know
     * @param name of the desk, which no other of the service has
     * @param opening what the master knows
     * @throws IllegalArgumentException if the service cannot run with its models as they are
     */
    public static ServiceDesk ofPeer(ServiceSpec spec, String secret, String name, Message.Open opening) {
        List<ModelFacts> facts = opening.models().stream()
                .map(model -> new ModelFacts(
                        spec.models().get(model.model()).name(),
                        model.kb(),
                        model.ms(),
                        model.gpuMiB(),
                        model.inputs(),
                        model.outputs()))
                .toList();
        // The worker may have had another desk, whose queries' inputs are still under way.
        String life = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-";
        ServiceDesk desk = new ServiceDesk(spec, secret, name, QueryIds.prefix(name, life), facts);
        Open open = desk.open();
        for (Message.Learned task : opening.tasks()) {
            open.workflows().stream()
                    .filter(workflow -> workflow.spec().name().equals(task.workflow()))
                    .forEach(workflow -> workflow.learned(task.task(), task.runMs(), task.outputKb()));
        }
        desk.open = Optional.of(open);
        desk.isWarming.set(true);
        desk.isMeasured = true;
        return desk;
    }

    /**
     * What a worker needs for a desk of its own.
     *
     * @param text of the specification
     * @param users their secrets, by name
     */
    Message.Open opening(String text, Map<String, String> users) {
        List<Message.Measured> models = new ArrayList<>();
        for (ModelFacts each : facts) {
            models.add(new Message.Measured(
                    models.size(), "", each.kb(), each.loadMs(), each.gpuMiB(), each.inputs(), each.outputs()));
        }
        return new Message.Open(spec.name(), text, users, models, learned());
    }

    private List<Message.Learned> learned() {
        List<Message.Learned> tasks = new ArrayList<>();
        open.ifPresent(each -> {
            synchronized (each.desk()) {
                each.workflows().forEach(workflow -> tasks.addAll(workflow.learned()));
            }
        });
        return tasks;
    }

    /** How many queries are on their way. */
    public int active() {
        return open.map(each -> each.desk().active()).orElse(0);
    }

    /** What became of the queries of each workflow. */
    public List<Message.Tally> tallies() {
        Open each = open.orElseThrow();
        synchronized (each.desk()) {
            return each.workflows().stream()
                    .map(workflow -> workflow.tally(TOLD_LATENCIES))
                    .toList();
        }
    }

    /** Where else the same queries are answered. */
    public void others(List<String> addresses) {
        others = List.copyOf(addresses);
    }

    @Override
    public List<String> others() {
        return others;
    }

    private static double nowMs() {
        return System.nanoTime() / 1e6;
    }

    /** Of each model, in the specification's order; empty until they are known. */
    public List<ModelFacts> models() {
        return facts;
    }

    /**
     * Makes a worker one of those that answer queries. May be called by several threads.
     *
     * @throws UnfitWorkerException if it cannot load a model
     * @throws IOException if it does not answer
     * @throws IllegalArgumentException if the service cannot run with its models as they are
     */
    public ConnectedWorker connect(String host, int port) throws IOException, InterruptedException {
        Open desk = opened(host, port);
        ConnectedWorker worker = links.connect(desk.desk(), host, port, desk.setup(), wanted(desk));
        warmUp(desk);
        return worker;
    }

    /**
     * Models that a worker is to have before it is given anything. One that has none is passed over by a planner that looks at
     * one query at a time, as long as the wait elsewhere is shorter than the load: however busy the others are. Where there are no
     * others queries wait for it.
     */
    private List<Integer> wanted(Open desk) {
        // Workers of a desk of their own are the master's, who has seen to it.
        return isMaster && isReady()
                ? ModelDemand.order(desk.workflows(), desk.desk().figures(desk.workflows()))
                : List.of();
    }

    /** The first worker that comes is asked what models are; those that come meanwhile wait for what it says. */
    private synchronized Open opened(String host, int port) throws IOException {
        if (open.isEmpty()) {
            if (facts.isEmpty()) {
                facts = ModelSurvey.of(spec, links, host, port);
            }
            open = Optional.of(open());
        }
        return open.get();
    }

    private void warmUp(Open desk) throws InterruptedException {
        if (isWarming.compareAndSet(false, true)) {
            try {
                WarmUp.run(desk.desk(), prefix, desk.workflows(), ServiceDesk::nowMs);
            } catch (RuntimeException e) {
                LOG.error("models could not be tried before the first query; queries are answered all the same", e);
            }
            isMeasured = true;
            LOG.info("the service answers queries");
        }
    }

    private Open open() {
        Map<String, ModelFacts> byName = new HashMap<>();
        Map<String, Model> models = new LinkedHashMap<>();
        for (ModelFacts each : facts) {
            byName.put(each.name(), each);
            models.put(each.name(), new Model(models.size(), each.name(), each.kb()));
        }
        WiringCheck check = new WiringCheck(byName);
        // All of them by one worker: workers are alike.
        long gpuMiB = facts.stream().mapToLong(ModelFacts::gpuMiB).findFirst().orElse(0);
        check.checkMemory(spec.workers(), gpuMiB);
        spec.workflows().forEach(check::check);
        LearnedDelays delays = new LearnedDelays(facts);
        List<Workflow> workflows = new ArrayList<>();
        spec.workflows().forEach(each -> workflows.add(new Workflow(check.narrowed(each), models, delays)));
        QueryDesk desk = new QueryDesk(
                Dispatchers.of(spec.policy(), Costs.of(delays), ADJUSTMENT),
                links,
                ServiceDesk::nowMs,
                spec.mode() == ServiceSpec.Mode.PEER,
                delays::loaded);
        QueueOrder order =
                spec.order().orElse(spec.policy().equals("compass") ? QueueOrder.LEAST_LEFT : QueueOrder.FIFO);
        Setup setup = new Setup(
                spec.workers().modelMemory(gpuMiB) * KB_A_MIB,
                spec.eviction().text(),
                order.text(),
                ModelSurvey.files(spec, facts));
        Map<String, List<TensorSpec>> outputs = new HashMap<>();
        spec.workflows().forEach(each -> outputs.put(each.name(), check.outputs(each)));
        return new Open(desk, new DeskService(desk, ServiceDesk::nowMs, prefix, workflows), workflows, setup, outputs);
    }

    @Override
    public List<WorkflowSpec> workflows() {
        return open.map(each -> each.service().workflows()).orElse(spec.workflows());
    }

    @Override
    public List<TensorSpec> outputs(WorkflowSpec workflow) {
        return open.map(each -> each.outputs().getOrDefault(workflow.name(), List.of()))
                .orElse(List.of());
    }

    @Override
    public boolean isReady() {
        return isMeasured && open.filter(each -> each.service().isReady()).isPresent();
    }

    @Override
    public CompletableFuture<Map<String, Tensor>> ask(
            WorkflowSpec workflow, Map<String, Tensor> inputs, double withinMs) {
        Optional<Open> desk = open;
        if (desk.isEmpty() || !isMeasured) {
            return CompletableFuture.failedFuture(new QueryException(
                    QueryException.Kind.UNAVAILABLE, "the service starts: its models are being measured"));
        }
        return desk.get().service().ask(workflow, inputs, withinMs);
    }

    public DeskFigures figures() {
        return open.map(each -> each.desk().figures(each.workflows()))
                .orElse(new DeskFigures(0, 0, List.of(), List.of(), List.of()));
    }

    @Override
    public void close() {
        open.ifPresent(each -> each.service().close());
        links.close();
    }
}
