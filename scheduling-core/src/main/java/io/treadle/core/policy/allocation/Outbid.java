// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.allocation;

import io.treadle.core.cluster.NodeView;
import io.treadle.core.placement.Ledger;
import io.treadle.core.placement.TaskSizer;
import io.treadle.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Who on a job's nodes holds what it could use, and what it is good for there. */
final class Outbid {
    /** What shows in one digit after the point. */
    private static final double WORTH_TELLING = 1.05;
    /** On most nodes no more jobs than these. */
    private static final int GRANTS = 4;

    private static final Dimension[] DIMENSIONS = Dimension.values();

    private final Ledger ledger;
    private final Sizes sizes;
    /** By node, the jobs that have tasks there. */
    private final List<List<Grant>> onNode;
    /** By node, its tasks that somebody may lack something for; empty until somebody does. */
    private final List<Optional<List<Rival>>> rivalsOn;

    Outbid(Ledger ledger, Sizes sizes, Collection<Grant> grants) {
        this.ledger = ledger;
        this.sizes = sizes;
        onNode = new ArrayList<>(Collections.nCopies(ledger.nodes().size(), List.of()));
        rivalsOn = new ArrayList<>(Collections.nCopies(ledger.nodes().size(), Optional.empty()));
        for (Grant grant : grants) {
            for (Grant.Task task : grant.tasks()) {
                add(task.node(), grant);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // grants come one after the other
    private void add(int node, Grant grant) {
        List<Grant> here = onNode.get(node);
        if (here.isEmpty()) {
            here = new ArrayList<>(GRANTS);
            onNode.set(node, here);
        } else if (here.get(here.size() - 1) == grant) {
            return;
        }
        here.add(grant);
    }

    /** A rival's task on a node of the job. */
    private record Rival(Grant grant, Grant.Task task, ResourceVector beyond) {}

    /**
     * In words, those that hold most of what the job lacks, of each resource, beyond what they need to be as fast
     * as at their share; nothing where nobody does.
     */
    String by(Grant job) {
        Grant.Task own = job.tasks().get(0);
        ResourceVector lacks = demand(job, own).minus(own.size());
        return inWords(dimension -> dimension.of(lacks) > 0 ? most(job, dimension) : "");
    }

    private static String inWords(Function<Dimension, String> words) {
        String all = "";
        for (Dimension dimension : DIMENSIONS) {
            String text = words.apply(dimension);
            all = all.isEmpty() || text.isEmpty() ? all + text : all + ", " + text;
        }
        return all;
    }

    private List<Rival> rivalsOn(int node) {
        Optional<List<Rival>> known = rivalsOn.get(node);
        if (known.isEmpty()) {
            known = Optional.of(findRivals(node));
            rivalsOn.set(node, known);
        }
        return known.get();
    }

    private List<Rival> findRivals(int node) {
        List<Rival> rivals = new ArrayList<>();
        for (Grant grant : onNode.get(node)) {
            TaskSizer least = new LastSize(LeastFirst.least(sizes, grant.job()));
            for (Grant.Task task : grant.tasks()) {
                if (task.node() == node && Sizes.isProfiled(grant.job(), task.group())) {
                    rivals.add(new Rival(grant, task, task.size().minus(least.size(task.group(), ledger.node(node)))));
                }
            }
        }
        return rivals;
    }

    private String most(Grant job, Dimension dimension) {
        long most = 0;
        Optional<Rival> first = Optional.empty();
        int last = -1;
        for (Grant.Task own : job.tasks()) {
            if (own.node() == last) {
                continue;
            }
            last = own.node();
            for (Rival rival : rivalsOn(last)) {
                boolean isOther = !rival.grant().job().id().equals(job.job().id());
                if (isOther && dimension.of(rival.beyond()) > most) {
                    most = dimension.of(rival.beyond());
                    first = Optional.of(rival);
                }
            }
        }
        long beyond = most;
        return first.map(rival -> words(rival.grant(), rival.task(), beyond, dimension))
                .orElse("");
    }

    /**
     * In words, what another on a node of the job would make of what this one holds of each resource, beyond what it needs to
     * be as fast as at its share; nothing where nobody would go faster.
     */
    String costs(Grant job) {
        Grant.Task own = job.tasks().get(0);
        if (!Sizes.isProfiled(job.job(), own.group())) {
            return "";
        }
        ResourceVector beyond = own.size().minus(least(job, own));
        return inWords(
                dimension -> dimension.of(beyond) > 0 ? wouldMake(dimension, dimension.of(beyond), own.node()) : "");
    }

    private String wouldMake(Dimension dimension, long beyond, int on) {
        NodeView node = ledger.node(on);
        for (Grant other : onNode.get(on)) {
            Grant.Task task = other.tasks().get(0);
            boolean hasAll = other.level() != Grant.Level.BETWEEN && other.level() != Grant.Level.SHARE;
            if (hasAll || task.node() != on || !Sizes.isProfiled(other.job(), task.group())) {
                continue;
            }
            long has = dimension.of(task.size());
            long more = Math.max(0, Math.min(beyond, dimension.of(demand(other, task)) - has));
            double speed = sizes.speed(other.job(), node, task.size());
            double faster = sizes.speed(other.job(), node, dimension.with(task.size(), has + more));
            if (speed > 0 && faster >= WORTH_TELLING * speed) {
                return String.format(
                        Locale.ROOT,
                        "%d %s would make job %s %.1f times as fast",
                        more,
                        dimension.ofIts(),
                        other.job().id(),
                        faster / speed);
            }
        }
        return "";
    }

    private ResourceVector demand(Grant grant, Grant.Task task) {
        return sizes.demandSpread(grant.job(), task.group(), ledger.node(task.node()));
    }

    private ResourceVector least(Grant grant, Grant.Task task) {
        return sizes.least(grant.job(), task.group(), ledger.node(task.node()));
    }

    private String words(Grant grant, Grant.Task task, long beyond, Dimension dimension) {
        NodeView node = ledger.node(task.node());
        ResourceVector without = least(grant, task).max(dimension.with(task.size(), 0));
        double times = sizes.speed(grant.job(), node, task.size()) / sizes.speed(grant.job(), node, without);
        return String.format(
                Locale.ROOT,
                "%d%s went to job %s, which is %.1f times as fast for %s",
                beyond,
                dimension.unit(),
                grant.job().id(),
                times,
                beyond == 1 ? "it" : "them");
    }
}
