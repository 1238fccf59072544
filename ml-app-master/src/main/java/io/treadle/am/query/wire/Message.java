// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.wire;

import io.treadle.am.query.tensor.TensorSpec;
import java.util.List;
import java.util.Map;

/**
 * What the desks of a service and its workers tell each other; tensors travel beside it in its {@link Frame}. A desk has queries
 * answered: the master's, and where workers are peers one beside each of them.
 */
public sealed interface Message {
    /** Of this protocol. */
    int VERSION = 1;

    /** Name of the master's desk. */
    String MASTER = "master";

    /**
     * The first on each connection, from whoever connects.
     *
     * @param secret of the service
     * @param desk its name; empty for a worker that brings outputs
     */
    record Hello(int version, String secret, String desk) implements Message {
        /** Secrets are in no log. */
        @Override
        public String toString() {
            return "Hello[version=" + version + ", desk=" + desk + "]";
        }
    }

    /**
     * Desk to worker: what it is to have and how it is to work; before all others. Only the master's may say something new.
     *
     * @param memoryKb what models may take together
     * @param eviction a name of {@link io.treadle.core.query.Eviction}
     * @param order a name of {@link io.treadle.core.query.QueueOrder}
     */
    record Setup(double memoryKb, String eviction, String order, List<ModelFile> models) implements Message {
        public Setup {
            models = List.copyOf(models);
        }
    }

    /**
     * A model that a worker can load.
     *
     * @param kb what it takes
     * @param path where it is on the worker's machine
     */
    record ModelFile(int id, String name, double kb, String path) {}

    /**
     * Desk to worker: a task is to run once its inputs are there.
     *
     * @param runMs how long it is expected to run
     * @param rankMs what is left of the query from it on
     * @param arrivalMs when the query came, by the desk's clock
     * @param inputs names of all that it needs
     */
    record Run(
            String query,
            int task,
            String name,
            int model,
            double runMs,
            double rankMs,
            double arrivalMs,
            List<String> inputs)
            implements Message {
        public Run {
            inputs = List.copyOf(inputs);
        }
    }

    /** To a worker, from a desk or another worker: inputs of a task, by the names that its model has for them. */
    record Feed(String query, int task) implements Message {}

    /**
     * Desk to worker: outputs of a task that it has run go to a worker.
     *
     * @param host empty where it is the same worker
     * @param to the task that gets them
     * @param names of the outputs, by what they are called by the task that gets them
     */
    record Pass(String query, int task, String host, int port, int to, Map<String, String> names) implements Message {
        public Pass {
            names = Map.copyOf(names);
        }
    }

    /** Desk to worker: outputs of a task that it has run are to come back. */
    record Return(String query, int task, List<String> names) implements Message {
        public Return {
            names = List.copyOf(names);
        }
    }

    /** Desk to worker: nothing more of a query is needed. */
    record Forget(String query) implements Message {}

    /** Master to worker, before {@link Setup}: each of the models is to be loaded once, to see what it is and takes. */
    record Measure(List<ModelFile> models) implements Message {
        public Measure {
            models = List.copyOf(models);
        }
    }

    /**
     * Worker to master: what one of the models of {@link Measure} is.
     *
     * @param failure why it cannot be loaded; empty where it can
     * @param kb of memory that it takes
     * @param ms how long it took to load
     * @param gpuMiB memory of the GPU that the worker has all of; 0 where it has none, or a part of one
     */
    record Measured(
            int model,
            String failure,
            double kb,
            double ms,
            long gpuMiB,
            List<TensorSpec> inputs,
            List<TensorSpec> outputs)
            implements Message {
        public Measured {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /**
     * Master to worker, after {@link Setup} and before anything is to run there: models that it will need. It loads them in this
     * order, as far as there is room without another going; none where it has run tasks already.
     */
    record Fetch(List<Integer> models) implements Message {
        public Fetch {
            models = List.copyOf(models);
        }
    }

    /** Worker to master: it has what {@link Fetch} asked for, as far as it can. */
    record Fetched() implements Message {}

    /** Worker to desk: it is as {@link Setup} says, and has nothing of an earlier desk of that name any more. */
    record Ready() implements Message {}

    /**
     * Worker to each desk: how it is.
     *
     * @param models ids of those that it holds or loads
     * @param queries of which it has something, and those on their way at its own desk
     * @param failedLoads tasks in a row whose models it could not load
     */
    record State(
            double waitMs, List<Integer> models, double freeKb, int queued, int queries, int failedLoads, Done done)
            implements Message {
        public State {
            models = List.copyOf(models);
        }
    }

    /**
     * What a worker has done since it started, whoever asked for it.
     *
     * @param loads of models, also of those that came ahead of their tasks, without what {@link Fetch} asked for
     * @param runMs how long tasks have run
     * @param modelMs how long they have waited for their models when it was their turn
     */
    record Done(long tasks, long loads, double runMs, double modelMs) {
        public static final Done NOTHING = new Done(0, 0, 0, 0);

        public double ms() {
            return runMs + modelMs;
        }
    }

    /**
     * Worker to desk: a task has ended.
     *
     * @param failure why it failed; empty where it has not
     * @param lacksModel whether it failed since this worker could not load its model, or, where it ran, had not the memory:
     *     another one may
     * @param outputKb of each output, by name
     */
    record Ended(
            String query,
            int task,
            String failure,
            boolean lacksModel,
            double queuedMs,
            double modelMs,
            double runMs,
            Map<String, Double> outputKb)
            implements Message {
        public Ended {
            outputKb = Map.copyOf(outputKb);
        }
    }

    /** Worker to desk: what {@link Return} asked for. */
    record Returned(String query, int task) implements Message {}

    /**
     * Worker to desk: outputs of a task could not be passed on.
     *
     * @param to the task that does not get them; the same where the desk does not
     * @param areKept whether the worker has them; else they are nowhere
     */
    record Lost(String query, int task, int to, boolean areKept, String why) implements Message {}

    /**
     * Worker to each desk: a model is there.
     *
     * @param ms how long it took
     */
    record Loaded(int model, double ms) implements Message {}

    /**
     * Master to worker: it is to be an ingress with a desk of its own, and needs to measure nothing for that.
     *
     * @param spec of the service, as its user wrote it
     * @param users their secrets, by name
     * @param models what each is, in the specification's order
     * @param tasks what each takes, as the master knows it by now
     */
    record Open(String name, String spec, Map<String, String> users, List<Measured> models, List<Learned> tasks)
            implements Message {
        public Open {
            users = Map.copyOf(users);
            models = List.copyOf(models);
            tasks = List.copyOf(tasks);
        }

        /** Secrets are in no log. */
        @Override
        public String toString() {
            return "Open[" + name + "]";
        }
    }

    /**
     * What a task takes.
     *
     * @param task its place in the workflow's specification
     */
    record Learned(String workflow, int task, double runMs, double outputKb) {}

    /** Worker to master: it answers queries at this port. */
    record Listens(int port) implements Message {}

    /**
     * Master to worker: all workers that may be given something new.
     *
     * @param isLeaving whether the one that is told is none of them any more
     */
    record Peers(List<Peer> workers, boolean isLeaving) implements Message {
        public Peers {
            workers = List.copyOf(workers);
        }
    }

    /**
     * A worker.
     *
     * @param ingress port at which it answers queries; 0 while it does not
     */
    record Peer(String host, int port, int ingress) {}

    /**
     * Worker to master: what its own desk has to do and has done.
     *
     * @param active queries on their way
     */
    record Answered(int active, List<Tally> workflows) implements Message {
        public Answered {
            workflows = List.copyOf(workflows);
        }
    }

    /**
     * What became of a workflow's queries at a desk, since it is there.
     *
     * @param latenciesMs of the last ones that were answered
     */
    record Tally(String workflow, long answered, long failed, long late, List<Double> latenciesMs) {
        public Tally {
            latenciesMs = List.copyOf(latenciesMs);
        }
    }
}
