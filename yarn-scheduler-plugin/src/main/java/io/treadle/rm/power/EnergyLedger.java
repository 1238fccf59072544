// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.power;

import io.treadle.core.wire.NodePower;
import io.treadle.rm.history.JobHistories;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Energy of GPUs by container, job, user and queue, from the counters of the nodes. A node that is seen for the first time
 * brings what its containers have spent since its NodeManager started, so that a restart of the ResourceManager loses only
 * what ended containers spent. Used by the thread that reads records and by those of web requests.
 */
final class EnergyLedger {
    private static final double PER_JOULE = 1000;
    /** Of one job; what older ones spent is in its sum alone. */
    private static final int MOST_CONTAINERS = 500;
    /** Nodes that YARN has lost and that may come again with the counters that they had. */
    private static final int MOST_GONE = 1000;

    private final Owners owners;
    private final Map<String, NodeCounters> nodes = new HashMap<>();
    private final LinkedHashMap<String, NodeCounters> gone = new LinkedHashMap<>();
    private final Map<String, Account> live = new LinkedHashMap<>();
    private final LinkedHashMap<String, Account> ended = new LinkedHashMap<>();
    private final Map<String, Long> users = new TreeMap<>();
    private final Map<String, Long> queues = new TreeMap<>();
    /** The part of {@link #queues} that nodes had counted before they were seen here. */
    private final Map<String, Long> broughtByQueue = new TreeMap<>();

    private long total;
    private long brought;
    private long idle;
    private long unknown;

    private static final class Account {
        private Owner owner;
        private final TreeMap<String, Long> containers = new TreeMap<>();
        private long millijoules;
        private OptionalLong samples = OptionalLong.empty();

        private Account(Owner owner) {
            this.owner = owner;
        }

        private void spend(String container, long more) {
            millijoules += more;
            containers.merge(container, more, Long::sum);
            if (containers.size() > MOST_CONTAINERS) {
                containers.pollFirstEntry();
            }
        }
    }

    /**
     * An application that has held GPUs.
     *
     * @param joules of all its containers, J
     * @param containers the newest of them, J
     * @param isOver whether it has ended
     * @param samples that it had processed at its end; empty where nobody knows
     */
    record Job(Owner owner, double joules, Map<String, Double> containers, boolean isOver, OptionalLong samples) {}

    /**
     * Of the cluster, J.
     *
     * @param joules of all GPUs
     * @param idleJoules the part that was spent while nobody held the GPU
     * @param unknownJoules the part of containers that nobody knows any more
     */
    record Sums(
            double joules,
            double idleJoules,
            double unknownJoules,
            Map<String, Double> users,
            Map<String, Double> queues) {}

    /**
     * Of all GPUs, or of a queue's jobs, J.
     *
     * @param broughtJoules the part that nodes had counted before this ResourceManager saw them first
     */
    record Reading(double joules, double broughtJoules) {}

    EnergyLedger(Owners owners) {
        this.owners = owners;
    }

    void count(String node, NodePower power) {
        // Looked up before the ledger is locked: YARN has locks of its own on applications and queues.
        Map<String, Optional<Owner>> named = new HashMap<>();
        power.containers().keySet().forEach(container -> ContainerNames.application(container)
                .ifPresent(application -> named.computeIfAbsent(application, owners::of)));
        count(node, power, named);
    }

    private synchronized void count(String node, NodePower power, Map<String, Optional<Owner>> named) {
        boolean isFirst = !nodes.containsKey(node) && !gone.containsKey(node);
        NodeCounters.Spent spent = nodes.computeIfAbsent(
                        node, name -> Objects.requireNonNullElseGet(gone.remove(name), NodeCounters::new))
                .advance(power);
        total += spent.total();
        brought += isFirst ? spent.total() : 0;
        idle += spent.idle();
        unknown += spent.unknown();
        spent.containers().forEach((container, millijoules) -> spend(container, millijoules, isFirst, named));
    }

    /** YARN has lost the node. */
    synchronized void gone(String node) {
        NodeCounters counters = nodes.remove(node);
        if (counters != null) {
            gone.put(node, counters);
            if (gone.size() > MOST_GONE) {
                gone.remove(gone.keySet().iterator().next());
            }
        }
    }

    private void spend(String container, long millijoules, boolean isFirst, Map<String, Optional<Owner>> named) {
        Optional<Account> account = ContainerNames.application(container)
                .flatMap(application -> account(application, named.getOrDefault(application, Optional.empty())));
        if (account.isEmpty()) {
            unknown += millijoules;
            return;
        }
        Owner owner = account.get().owner;
        account.get().spend(container, millijoules);
        users.merge(owner.user(), millijoules, Long::sum);
        queues.merge(owner.queue(), millijoules, Long::sum);
        if (isFirst) {
            broughtByQueue.merge(owner.queue(), millijoules, Long::sum);
        }
    }

    private Optional<Account> account(String application, Optional<Owner> owner) {
        Account over = ended.get(application);
        if (over != null) {
            return Optional.of(over);
        }
        Account known = live.get(application);
        if (known != null) {
            // It may have been moved to another queue.
            known.owner = owner.orElse(known.owner);
            return Optional.of(known);
        }
        return owner.map(o -> live.computeIfAbsent(application, id -> new Account(o)));
    }

    /**
     * The application is over: what it spent is kept until so many others have ended.
     *
     * @param samples that it has processed; empty where nobody knows
     */
    synchronized void end(String application, OptionalLong samples) {
        Account account = live.remove(application);
        if (account != null) {
            account.samples = samples;
            ended.put(application, account);
            if (ended.size() > JobHistories.MAX_ENDED) {
                ended.remove(ended.keySet().iterator().next());
            }
        }
    }

    /** Ends what YARN has ended: nobody says so of other applications than Treadle's. */
    void sweep() {
        there().stream()
                .filter(application -> owners.of(application).isEmpty())
                .forEach(application -> end(application, OptionalLong.empty()));
    }

    private synchronized List<String> there() {
        return List.copyOf(live.keySet());
    }

    synchronized Optional<Job> job(String application) {
        Account running = live.get(application);
        return running != null
                ? Optional.of(job(running, joules(running.containers), false))
                : Optional.ofNullable(ended.get(application)).map(over -> job(over, joules(over.containers), true));
    }

    /** Those that are there, then those that have ended, the newest first; their containers are left out. */
    synchronized List<Job> jobs() {
        List<Job> jobs = new ArrayList<>();
        live.values().forEach(account -> jobs.add(job(account, Map.of(), false)));
        newestFirst(ended.values()).forEach(account -> jobs.add(job(account, Map.of(), true)));
        return jobs;
    }

    private static List<Account> newestFirst(Collection<Account> accounts) {
        List<Account> reversed = new ArrayList<>(accounts);
        Collections.reverse(reversed);
        return reversed;
    }

    private static Job job(Account account, Map<String, Double> containers, boolean isOver) {
        return new Job(account.owner, account.millijoules / PER_JOULE, containers, isOver, account.samples);
    }

    synchronized Sums sums() {
        return new Sums(total / PER_JOULE, idle / PER_JOULE, unknown / PER_JOULE, joules(users), joules(queues));
    }

    /** Of all GPUs. */
    synchronized Reading reading() {
        return new Reading(total / PER_JOULE, brought / PER_JOULE);
    }

    /** Of the jobs in a queue and in those below it. */
    synchronized Reading reading(String queue) {
        return new Reading(under(queue, queues), under(queue, broughtByQueue));
    }

    private static double under(String queue, Map<String, Long> millijoules) {
        return millijoules.entrySet().stream()
                        .filter(e -> QueuePaths.isUnder(e.getKey(), queue))
                        .mapToLong(Map.Entry::getValue)
                        .sum()
                / PER_JOULE;
    }

    private static Map<String, Double> joules(Map<String, Long> millijoules) {
        Map<String, Double> joules = new TreeMap<>();
        millijoules.forEach((key, mJ) -> joules.put(key, mJ / PER_JOULE));
        return joules;
    }
}
