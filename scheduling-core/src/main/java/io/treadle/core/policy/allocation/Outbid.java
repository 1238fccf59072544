// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.placement.Ledger;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Who on a job's nodes holds the vcores that it could use, and what they are good for there. */
final class Outbid {
    private final Ledger ledger;
    private final Sizes sizes;
    private final Map<Integer, List<Grant>> onNode = new HashMap<>();

    Outbid(Ledger ledger, Sizes sizes, Collection<Grant> grants) {
        this.ledger = ledger;
        this.sizes = sizes;
        for (Grant grant : grants) {
            for (Grant.Task task : grant.tasks()) {
                List<Grant> here = onNode.get(task.node());
                if (here == null) {
                    here = new ArrayList<>();
                    onNode.put(task.node(), here);
                }
                // Grants come one after the other.
                if (here.isEmpty()
                        || !here.get(here.size() - 1)
                                .job()
                                .id()
                                .equals(grant.job().id())) {
                    here.add(grant);
                }
            }
        }
    }

    /** In words, the one that holds most beyond what it needs to be as fast as at its share; nothing where nobody does. */
    String by(Grant job) {
        String words = "";
        long most = 0;
        for (Grant.Task own : job.tasks()) {
            for (Grant other : onNode.getOrDefault(own.node(), List.of())) {
                for (Grant.Task task : other.tasks()) {
                    boolean isRival = !other.job().id().equals(job.job().id())
                            && task.node() == own.node()
                            && Sizes.isProfiled(other.job(), task.group());
                    long beyond =
                            isRival ? task.size().vcores() - least(other, task).vcores() : 0;
                    if (beyond > most) {
                        most = beyond;
                        words = words(other, task, beyond);
                    }
                }
            }
        }
        return words;
    }

    private ResourceVector least(Grant grant, Grant.Task task) {
        return sizes.least(grant.job(), task.group(), ledger.node(task.node()));
    }

    private String words(Grant grant, Grant.Task task, long beyond) {
        NodeView node = ledger.node(task.node());
        double times = sizes.speed(grant.job(), node, task.size())
                / sizes.speed(
                        grant.job(), node, least(grant, task).max(task.size().withVcores(0)));
        return String.format(
                Locale.ROOT,
                "%d went to job %s, which is %.1f times as fast for %s",
                beyond,
                grant.job().id(),
                times,
                beyond == 1 ? "it" : "them");
    }
}
