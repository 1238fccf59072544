// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.explain;

import io.treadle.core.resource.ResourceVector;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a job waits or has what it has. */
public sealed interface Reason {
    /** One line with numbers, for a person. */
    String text();

    /**
     * When it starts if nothing else comes, s from now; empty where it has started, and where nobody has looked at all that starts
     * before it.
     */
    default OptionalLong inSeconds() {
        return OptionalLong.empty();
    }

    /**
     * The GPUs that are free do not take the gang.
     *
     * @param tasks tasks of the gang
     * @param fitting how many of them could start now
     * @param gpusNeeded GPUs of the whole gang
     * @param gpusFree free GPUs that the gang may use
     * @param mostOnOneNode most of them on one node
     * @param gpusPerTask GPUs of one task
     * @param next what frees enough
     */
    record TooFewGpus(
            int tasks, int fitting, long gpusNeeded, long gpusFree, long mostOnOneNode, long gpusPerTask, Next next)
            implements Reason {
        @Override
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "Gang 0/%d: needs %d %s (%d × %d), %d free, at most %d on one node, room for %d of %d tasks%s",
                    tasks,
                    gpusNeeded,
                    gpusNeeded == 1 ? "GPU" : "GPUs",
                    tasks,
                    gpusPerTask,
                    gpusFree,
                    mostOnOneNode,
                    fitting,
                    tasks,
                    next.text());
        }
    }

    /**
     * The gang wants certain GPUs, and of some nodes with GPUs nobody knows which they are.
     *
     * @param wanted what each task wants
     * @param nodes how many nodes these are
     */
    record DevicesUnknown(int tasks, String wanted, long nodes) implements Reason {
        @Override
        public String text() {
            return "Gang 0/" + tasks + ": each task needs " + wanted + "; which GPUs " + nodes
                    + (nodes == 1 ? " node has" : " nodes have") + " is not known yet";
        }
    }

    /** Enough GPUs are free, but CPU, memory or another resource beside them is not. */
    record TooLittleBeside(int tasks, int fitting, String needed, String freest, Next next) implements Reason {
        @Override
        public String text() {
            return "Gang 0/" + tasks + ": each task needs " + needed + ", the node with most room has " + freest
                    + ", room for " + fitting + " of " + tasks + " tasks" + next.text();
        }
    }

    /** The queue's limit is reached. */
    record QueueLimit(String queue, int tasks, String needed, String left, String limit) implements Reason {
        @Override
        public String text() {
            return "Gang 0/" + tasks + ": queue " + queue + " has " + left + " left of at most " + limit
                    + ", the gang needs " + needed;
        }
    }

    /**
     * The file system that all nodes share has too little left, in MB/s.
     *
     * @param gives what it gives to all
     */
    record SharedStorageLimit(int tasks, long needed, long left, long gives) implements Reason {
        @Override
        public String text() {
            return "Gang 0/" + tasks + ": asks for " + needed + " MB/s, the shared file system has " + left
                    + " left of " + gives + " MB/s";
        }
    }

    /**
     * The gang's user may not hold more of the queue. Amounts are those that are short.
     *
     * @param limit what the user may hold
     * @param holds what the user holds already
     * @param needed what the whole gang needs
     */
    record UserLimit(String user, String queue, int tasks, String limit, String holds, String needed)
            implements Reason {
        @Override
        public String text() {
            return "Gang 0/" + tasks + ": user " + user + " may hold " + limit + " of queue " + queue + ", holds "
                    + holds + ", this gang needs " + needed;
        }
    }

    /** The job starts now. */
    record Starts(int tasks, ResourceVector size) implements Reason {
        @Override
        public String text() {
            return "Gang " + tasks + "/" + tasks + " starts, each task with " + size.describe();
        }
    }

    /**
     * The job has what it can use.
     *
     * @param costs in words, what another would make of what it has beyond its share's speed; empty for nothing
     */
    record AtDemand(String size, String costs) implements Reason {
        @Override
        public String text() {
            return "has " + size + " for each task, all that it can use" + (costs.isEmpty() ? "" : "; " + costs);
        }
    }

    /**
     * The job has more than its share and could use more still.
     *
     * @param has what each of its tasks has
     * @param useful what each of its tasks could use at most
     * @param outbid in words, who got what it could use; empty where nobody did
     */
    record BelowDemand(ResourceVector has, ResourceVector useful, String outbid) implements Reason {
        @Override
        public String text() {
            if (!outbid.isEmpty()) {
                String parts = Stream.of(
                                part(has.vcores(), useful.vcores(), "vcores"),
                                part(has.memoryMiB(), useful.memoryMiB(), "MiB of memory"),
                                part(has.storageMBps(), useful.storageMBps(), "MB/s"))
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" and "));
                return "has " + parts + " for each task (" + has.describe() + "): " + outbid;
            }
            boolean cachesMore = useful.memoryMiB() > has.memoryMiB();
            boolean readsMore = useful.storageMBps() > has.storageMBps();
            return "has " + has.describe() + " for each task, all that its nodes have room for; it could use "
                    + useful.vcores() + " vcores"
                    + (cachesMore ? " and " + useful.memoryMiB() + " MiB of memory" : "")
                    + (readsMore ? " and " + useful.storageMBps() + " MB/s" : "");
        }

        private static String part(long has, long useful, String what) {
            return useful > has ? has + " of " + useful + " useful " + what : "";
        }
    }

    /** The job has its GPU-proportional share. */
    record AtShare(String size, String why) implements Reason {
        @Override
        public String text() {
            return "has its GPU-proportional share, " + size + " for each task" + (why.isEmpty() ? "" : ": " + why);
        }
    }

    /**
     * The job makes way for others.
     *
     * @param gpusLeft GPUs that those before it leave
     */
    record Displaced(long gpus, long gpusLeft) implements Reason {
        @Override
        public String text() {
            return "makes way: it holds " + gpus + (gpus == 1 ? " GPU" : " GPUs")
                    + ", jobs that are served first leave " + gpusLeft;
        }
    }

    /**
     * The job's turn is over.
     *
     * @param seconds how long it was
     */
    record TurnOver(long seconds) implements Reason {
        @Override
        public String text() {
            return "makes way: its turn of " + seconds + " s is over";
        }
    }

    /**
     * The job's queue holds more than its guarantee, and another takes back its own.
     *
     * @param queue the other's path
     */
    record TakenBack(String queue) implements Reason {
        @Override
        public String text() {
            return "makes way: its queue holds more than its guarantee, queue " + queue + " less";
        }
    }

    /**
     * A policy of somebody else's says it in its own words.
     *
     * @param words one line
     */
    record Told(String words) implements Reason {
        @Override
        public String text() {
            return words;
        }
    }

    /**
     * The job moves to where fewer GPUs are left free beside it.
     *
     * @param from the nodes that it leaves
     * @param freeBefore GPUs that are free there without it
     * @param to the nodes that it goes to
     * @param freeAfter GPUs that are free there without it
     */
    record Moves(List<String> from, long freeBefore, List<String> to, long freeAfter) implements Reason {
        public Moves {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }

        @Override
        public String text() {
            return "moves from " + String.join(", ", from) + ", where " + freeBefore + " GPUs are free without it, to "
                    + String.join(", ", to) + ", where " + freeAfter + " are";
        }
    }

    /**
     * The job has GPUs under a power cap.
     *
     * @param gpus its GPUs
     * @param capWatts cap of each, W
     * @param watts what they are foretold to draw, W
     * @param allWatts what all nodes are, W
     * @param limitWatts what they may draw, W; 0 for no limit
     */
    record Powered(long gpus, long capWatts, long watts, long allWatts, long limitWatts) implements Reason {
        @Override
        public String text() {
            return "has " + gpus + (gpus == 1 ? " GPU" : " GPUs, each") + " capped at " + capWatts + " W, about "
                    + watts + " W in all; " + drawn(allWatts, limitWatts);
        }
    }

    /**
     * The job waits for GPUs, or for watts.
     *
     * @param gpusNeeded the least that it can run with
     * @param gpusLeft what the jobs that are served first leave
     * @param allWatts what all nodes are foretold to draw, W
     * @param limitWatts what they may draw, W; 0 for no limit
     */
    record WaitsForPower(long gpusNeeded, long gpusLeft, long allWatts, long limitWatts) implements Reason {
        @Override
        public String text() {
            return "needs " + gpusNeeded + (gpusNeeded == 1 ? " GPU" : " GPUs") + ", jobs that are served first leave "
                    + gpusLeft + "; " + drawn(allWatts, limitWatts);
        }
    }

    /**
     * The job was admitted for what its end is worth.
     *
     * @param size in words, what it has
     * @param end when it ends, and when it would with more
     * @param worth what its end is worth then; NaN for a job that takes what others leave
     */
    record Admitted(String size, End end, double worth) implements Reason {
        @Override
        public String text() {
            return "has " + size + end.text()
                    + (Double.isNaN(worth)
                            ? "; takes what admitted jobs leave"
                            : "; worth " + amount(worth)
                                    + (end.seconds().isEmpty() ? " if it takes as long again as it has had" : ""));
        }
    }

    /**
     * The job gives up tasks that others need more.
     *
     * @param from in words, what it has
     * @param to in words, what it keeps
     * @param end when it ends with that
     */
    record Shrinks(String from, String to, End end) implements Reason {
        @Override
        public String text() {
            return "shrinks from " + from + " to " + to + ": others are to have the room" + end.text();
        }
    }

    /**
     * The job was not admitted.
     *
     * @param worth what its end would be worth
     * @param displaced what those are worth that would have to make way
     * @param counts what it counts for in the choice of jobs: what an hour of it brings, or its worth
     * @param displacedCounts the same of those that would have to make way
     * @param inSeconds when there is room if nothing else comes, s; empty where nobody knows
     */
    record NotAdmitted(double worth, double displaced, double counts, double displacedCounts, OptionalLong inSeconds)
            implements Reason {
        @Override
        public String text() {
            // What is worth more may count for less.
            String counted = worth >= displaced && displacedCounts > counts
                    ? ", which counts for more as it ends sooner or runs already ("
                            + String.format(Locale.ROOT, "%.3g to %.3g)", displacedCounts, counts)
                    : "";
            return "not admitted: worth " + amount(worth) + ", it would displace " + amount(displaced) + counted
                    + (inSeconds.isPresent()
                            ? "; admitted in about " + Next.duration(inSeconds.getAsLong()) + " if nothing else arrives"
                            : "");
        }
    }

    /**
     * There is room in all, and no node has it in one piece.
     *
     * @param needed in words, the least that the job can run with
     * @param left in words, what is free on all nodes together
     */
    record Scattered(String needed, String left) implements Reason {
        @Override
        public String text() {
            return "waits: it needs at least " + needed + "; left are " + left
                    + " in all, but not on nodes with room for each of its tasks, or not for its user";
        }
    }

    /**
     * Not even the least that the job needs is there.
     *
     * @param needed in words, of what there is too little
     * @param most in words, what there is of that at most
     * @param what what there is too little of it in
     */
    record NeverFits(String needed, String most, Bound what) implements Reason {
        /** What a job can be too large for. */
        public enum Bound {
            /** Its own cap. */
            CAP,
            /** All nodes, were they empty. */
            NODES,
            /** The largest node, were it empty. */
            NODE
        }

        @Override
        public String text() {
            return switch (what) {
                case CAP ->
                    "cannot start: it needs at least " + needed + ", its 'cap' is " + most
                            + "; raise 'cap' or lower 'min' of its groups";
                case NODES ->
                    "cannot start: it needs at least " + needed + ", all nodes together have " + most
                            + "; lower 'min' of its groups, or what each task asks for";
                case NODE ->
                    "cannot start: a task of it needs " + needed + ", no node has more than " + most
                            + "; ask for less in each task";
            };
        }
    }

    /**
     * What the job needs is held by those who are not planned with it.
     *
     * @param needed in words, of what there is too little
     * @param left in words, what they leave of that
     * @param queue which may hold no more meanwhile
     */
    record HeldByOthers(String needed, String left, String queue) implements Reason {
        @Override
        public String text() {
            return "waits: it needs at least " + needed + ", of which " + queue + " may have " + left
                    + " as long as others hold what they do";
        }
    }

    /**
     * The job has a size, by a rule that does not look at what its end is worth.
     *
     * @param size in words, what it has
     * @param end when it ends, and when it would with more
     */
    record Sized(String size, End end) implements Reason {
        @Override
        public String text() {
            return "has " + size + end.text();
        }
    }

    /**
     * The job waits for room.
     *
     * @param needed in words, the least that it can run with
     * @param left in words, what the others leave
     * @param inSeconds when there is room if nothing else comes, s; empty where nobody knows
     */
    record Queued(String needed, String left, OptionalLong inSeconds) implements Reason {
        @Override
        public String text() {
            return "needs at least " + needed + ", jobs that are served first leave " + left
                    + (inSeconds.isPresent()
                            ? "; next: in about " + Next.duration(inSeconds.getAsLong()) + " if nothing else arrives"
                            : "");
        }
    }

    /**
     * When a job ends.
     *
     * @param seconds until then, s; empty where nothing is known of its speed
     * @param more in words, what would make it end sooner and has no room; empty for nothing
     * @param secondsSaved how much sooner it would end with that, s
     */
    record End(OptionalLong seconds, String more, long secondsSaved) {
        public static final End UNKNOWN = new End(OptionalLong.empty(), "", 0);

        public static End in(long seconds) {
            return new End(OptionalLong.of(seconds), "", 0);
        }

        String text() {
            if (seconds.isEmpty()) {
                return "; when it ends is not known (no speed yet, or no 'totalSamples')";
            }
            return ", ends in about " + Next.duration(seconds.getAsLong())
                    + (more.isEmpty()
                            ? ""
                            : " (" + Next.duration(secondsSaved) + " sooner with " + more
                                    + ", for which there is no room)");
        }
    }

    private static String amount(double worth) {
        return worth >= 0.005 || worth == 0 ? String.format(Locale.ROOT, "%.2f", worth) : "under 0.01";
    }

    private static String drawn(long watts, long limit) {
        return limit == 0
                ? "the nodes draw about " + watts + " W"
                : "the nodes draw about " + watts + " of " + limit + " W";
    }

    /** What the policy decided for the job breaks a rule and is not carried out. */
    record Withheld(String rule) implements Reason {
        @Override
        public String text() {
            return "stays as it is: what the policy decided for it breaks a rule, " + rule;
        }
    }

    /**
     * How long an iteration takes is measured with numbers of workers and servers that were not before.
     *
     * @param size in words
     */
    record Probed(String size) implements Reason {
        @Override
        public String text() {
            return "has " + size + ", with which its speed is measured while it trains";
        }
    }

    /**
     * Its parameter servers have more than they ask for.
     *
     * @param has what it has beside that
     * @param vcores that all of them together have more
     */
    record ServersRaised(Reason has, long vcores) implements Reason {
        @Override
        public String text() {
            return has.text() + "; its servers have " + vcores + (vcores == 1 ? " vcore" : " vcores")
                    + " more, of what is idle";
        }
    }

    /**
     * How long an iteration takes is to be measured with other numbers of workers and servers, for which there is no room.
     *
     * @param size in words, what it has
     * @param next in words, what it is measured with next
     */
    record Unmeasured(String size, String next) implements Reason {
        @Override
        public String text() {
            return "has " + size + "; its speed is to be measured with " + next + ", as soon as there is room";
        }
    }

    /** The job runs on a node on which it would get nothing new just now. */
    record OnClosedNode(String size) implements Reason {
        @Override
        public String text() {
            return "stays as it is, with " + size + " for each task: no new task starts on a node that it runs on";
        }
    }

    /** The job's ApplicationMaster measures it and resizes it itself meanwhile. */
    record Profiling(String size) implements Reason {
        @Override
        public String text() {
            return "is being profiled, now with " + size + " for each task";
        }
    }

    /**
     * What frees enough for a waiting gang.
     *
     * @param jobId the running job whose end does it; empty where none is known
     * @param inSeconds how long that takes; empty where unknown
     */
    record Next(String jobId, OptionalLong inSeconds) {
        public static final Next UNKNOWN = new Next("", OptionalLong.empty());

        String text() {
            if (jobId.isEmpty()) {
                return "";
            }
            return inSeconds.isPresent()
                    ? "; next: in about " + duration(inSeconds.getAsLong()) + " when " + jobId + " ends"
                    : "; next: when " + jobId + " ends";
        }

        private static String duration(long seconds) {
            if (seconds < 120) {
                return seconds + " s";
            }
            return seconds < 7200
                    ? Math.round(seconds / 60.0) + " min"
                    : String.format(Locale.ROOT, seconds < 36_000 ? "%.1f h" : "%.0f h", seconds / 3600.0);
        }
    }
}
