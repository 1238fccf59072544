// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.plan.TaskPlacement;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which nodes have names that resolve. YARN puts a node's address into the token of each container there, and leaves
 * a container out of its answer to an ApplicationMaster while it cannot make the token. So a gang on a node whose name does
 * not resolve would arrive in parts. Look-ups run on threads of their own and under no lock of the scheduler. Safe for use
 * by several threads.
 */
public final class NodeNames {
    private static final Logger LOG = LoggerFactory.getLogger(NodeNames.class);
    /** How long a node gets no task after its name did not resolve. Java itself remembers a failed look-up for 10 s. */
    private static final long RETRY_MS = 10_000;
    /** How long the caller waits for all look-ups together. */
    private static final long PATIENCE_MS = 2_000;

    /** The same once a look-up has hung: each gang of a round would wait so long. */
    private static final long PATIENCE_WITH_HANGING_MS = 50;

    private static final int THREADS = 16;

    private final ThreadPoolExecutor lookUps = new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), NodeNames::daemon);
    /** Look-ups that have not ended: a name server that hangs must not take a thread for each attempt. */
    private final Map<NodeId, Future<Boolean>> running = new ConcurrentHashMap<>();
    /** By node whose name did not resolve, until when it gets no task, ms on the monotonic clock. */
    private final Map<NodeId, Long> failed = new ConcurrentHashMap<>();
    /** Until when the name server counts as hanging, ms on the monotonic clock. */
    private volatile long hangsUntilMs = Long.MIN_VALUE;

    private final Predicate<NodeId> lookUp;

    public NodeNames() {
        this(NodeNames::lookUp);
    }

    /** @param lookUp whether a name resolves; it may take long */
    public NodeNames(Predicate<NodeId> lookUp) {
        this.lookUp = lookUp;
        lookUps.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "treadle-names");
        thread.setDaemon(true);
        return thread;
    }

    /** Whether the node may get tasks as far as its name goes. Looks nothing up. */
    boolean mayResolve(NodeId node) {
        Long until = failed.get(node);
        if (until != null && until <= Time.monotonicNow()) {
            failed.remove(node, until);
            return true;
        }
        return until == null;
    }

    /** Why these tasks cannot all be delivered to their ApplicationMaster; empty where they can. */
    public Optional<String> obstacle(List<TaskPlacement> tasks) {
        List<NodeId> nodes = tasks.stream()
                .map(task -> NodeId.fromString(task.nodeId()))
                .distinct()
                .toList();
        return nodes.stream()
                .filter(node -> !mayResolve(node))
                .findFirst()
                .or(() -> unresolved(nodes).stream().findFirst())
                .map(node -> "the name of node " + node + " does not resolve");
    }

    /** Looks these nodes up, for two seconds at most in all and for less while the name server hangs, and returns those whose names do not resolve. */
    public Set<NodeId> unresolved(Collection<NodeId> nodes) {
        forget();
        Map<NodeId, Future<Boolean>> asked = new HashMap<>();
        for (NodeId node : nodes) {
            if (!asked.containsKey(node) && !needsNoAddress(node)) {
                asked.put(node, running.computeIfAbsent(node, id -> lookUps.submit(() -> lookUp.test(id))));
            }
        }
        Set<NodeId> unresolved = new HashSet<>();
        long deadline = Time.monotonicNow() + patienceMs();
        asked.forEach((node, answer) -> {
            if (!isPositive(answer, Math.max(0, deadline - Time.monotonicNow()))) {
                unresolved.add(node);
            }
            if (answer.isDone()) {
                running.remove(node, answer);
            } else if (!Thread.currentThread().isInterrupted()) {
                hangsUntilMs = Time.monotonicNow() + RETRY_MS;
            }
        });
        if (Thread.currentThread().isInterrupted()) {
            // It did not wait for the answers.
            return unresolved;
        }
        for (NodeId node : unresolved) {
            if (failed.put(node, Time.monotonicNow() + RETRY_MS) == null) {
                LOG.warn("The name of node {} does not resolve: no gang starts there until it does", node);
            }
        }
        return unresolved;
    }

    /** Of nodes that have gone nobody asks again. */
    private void forget() {
        long nowMs = Time.monotonicNow();
        failed.values().removeIf(until -> until <= nowMs);
        running.values().removeIf(Future::isDone);
    }

    /** How long a caller waits now. */
    long patienceMs() {
        return Time.monotonicNow() < hangsUntilMs ? PATIENCE_WITH_HANGING_MS : PATIENCE_MS;
    }

    private static boolean isPositive(Future<Boolean> answer, long patienceMs) {
        try {
            return answer.get(patienceMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean lookUp(NodeId node) {
        try {
            // What YARN itself does for a token.
            var unused =
                    SecurityUtil.buildTokenService(NetUtils.createSocketAddrForHost(node.getHost(), node.getPort()));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** With {@code hadoop.security.token.service.use_ip=false} tokens hold names. */
    private static boolean needsNoAddress(NodeId node) {
        try {
            var unused =
                    SecurityUtil.buildTokenService(InetSocketAddress.createUnresolved(node.getHost(), node.getPort()));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Ends all look-ups. */
    public void close() {
        lookUps.shutdownNow();
    }
}
