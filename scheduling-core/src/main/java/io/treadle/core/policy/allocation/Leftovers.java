// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.placement.Ledger;
import io.treadle.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.Map;

/** What nodes, the queue and its users still have while sizes are chosen. */
final class Leftovers {
    private final Ledger ledger;
    private final ResourceVector[] onNode;
    private ResourceVector inQueue;
    /** By name, of users with a limit. */
    private final Map<String, ResourceVector> ofUser = new HashMap<>();

    Leftovers(Ledger ledger) {
        this.ledger = ledger;
        onNode = new ResourceVector[ledger.nodes().size()];
        for (int node = 0; node < onNode.length; node++) {
            onNode[node] = ledger.free(node)
                    .minus(ledger.node(node).keptFree())
                    .minus(ledger.owed(node))
                    .max(ResourceVector.ZERO);
        }
        inQueue = ledger.queueFreeBeyondOwed().minus(ledger.keptFree()).max(ResourceVector.ZERO);
    }

    ResourceVector onNode(int node) {
        return onNode[node];
    }

    ResourceVector inQueue() {
        return inQueue;
    }

    /** Whether it matters to the job what others of its user take. */
    boolean hasLimitedUser(Spread spread) {
        return ledger.userOf(spread.jobId()).isPresent();
    }

    /** What each of these tasks could have more; nowhere below zero. */
    ResourceVector room(Spread spread) {
        ResourceVector room = inQueue.share(1, spread.tasks());
        if (ledger.userOf(spread.jobId()).isPresent()) {
            room = room.min(user(spread).share(1, spread.tasks()));
        }
        for (int i = 0; i < spread.nodes(); i++) {
            room = room.min(onNode[spread.node(i)].share(1, spread.count(i)));
        }
        return room.max(ResourceVector.ZERO);
    }

    /** @param more of each task */
    void take(Spread spread, ResourceVector more) {
        ResourceVector all = more.times(spread.tasks());
        inQueue = inQueue.minus(all);
        if (ledger.userOf(spread.jobId()).isPresent()) {
            ofUser.put(name(spread), user(spread).minus(all));
        }
        for (int i = 0; i < spread.nodes(); i++) {
            int node = spread.node(i);
            onNode[node] = onNode[node].minus(more.times(spread.count(i)));
        }
    }

    void giveBack(Spread spread, ResourceVector more) {
        take(spread, more.times(-1));
    }

    /** Whether more was taken than there was of anything that these tasks use. */
    boolean isOverdrawn(Spread spread) {
        boolean overdrawn = !ResourceVector.ZERO.fitsIn(inQueue)
                || (ledger.userOf(spread.jobId()).isPresent() && !ResourceVector.ZERO.fitsIn(user(spread)));
        for (int i = 0; i < spread.nodes() && !overdrawn; i++) {
            overdrawn = !ResourceVector.ZERO.fitsIn(onNode[spread.node(i)]);
        }
        return overdrawn;
    }

    private ResourceVector user(Spread spread) {
        return ofUser.computeIfAbsent(
                name(spread),
                name -> ledger.userFree(spread.jobId()).orElseThrow().max(ResourceVector.ZERO));
    }

    private String name(Spread spread) {
        return ledger.userOf(spread.jobId()).orElseThrow().name();
    }
}
