// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Looks for a split with which the goals of all queues hold. What queues want is raised from 1 % each: again and again
 * the first queue whose goals do not hold gets the smallest capacity with which they do, beside what the others want.
 * Then each queue's is lowered while all goals hold. Where more always helps a queue and hurts the others, what comes out
 * is the smallest for every queue. In case it is not so, a coarse grid of splits is tried where raising finds nothing.
 */
final class CapacitySearch {
    /** Splits that are looked at side by side, whatever the machine: on every one the same are looked at. */
    private static final int AT_ONCE = 3;

    /** Looks at splits. */
    interface Look {
        /** Which queues' goals hold with each of these. */
        Map<Split, Set<Integer>> at(List<Split> splits);
    }

    private final Splits splits;
    private final Look look;
    private final Consumer<String> progress;
    private final Map<Split, Set<Integer>> known = new HashMap<>();
    private final Map<Integer, TreeMap<Integer, Split>> lines = new HashMap<>();
    private OptionalInt lacking = OptionalInt.empty();
    private Optional<Split> nearest = Optional.empty();
    private OptionalInt step = OptionalInt.empty();

    /** @param progress is told when the grid is begun, a line */
    CapacitySearch(Splits splits, Look look, Consumer<String> progress) {
        this.splits = splits;
        this.look = look;
        this.progress = progress;
    }

    /** @param now what there is, if it is a split; it stays where its goals hold and none has less for them */
    Optional<Split> find(Optional<Split> now) {
        Optional<Split> found = now.filter(split -> splits.total(split) == splits.leastTotal() && allHold(split));
        Optional<Split> lowered = found.or(this::raised).or(this::ofGrid).map(this::lowered);
        if (lowered.isEmpty()) {
            int[] ones = ones();
            IntStream.range(0, splits.wanted())
                    .filter(i -> !lines.containsKey(i))
                    .forEach(i -> smallest(i, ones, 1, splits.most(i, ones), holds -> holds.contains(i)));
        }
        return lowered;
    }

    /** Splits that were looked at last for a queue with a goal, where only it decides, by what it has. */
    Map<Integer, Split> line(int i) {
        return lines.getOrDefault(i, new TreeMap<>());
    }

    /** Where raising found nothing: the queue with a goal for which there is not enough. */
    OptionalInt lacking() {
        return lacking;
    }

    /** Where raising found nothing: the split that gives that queue most. */
    Optional<Split> nearest() {
        return nearest;
    }

    /** Of the grid, where one was tried, percents. */
    OptionalInt step() {
        return step;
    }

    /** How many splits were looked at. */
    int looks() {
        return known.size();
    }

    private int[] ones() {
        return IntStream.generate(() -> 1).limit(splits.wanted()).toArray();
    }

    private Optional<Split> raised() {
        int[] wants = ones();
        while (true) {
            Split split = splits.split(wants).orElseThrow();
            Set<Integer> holds = look(split);
            OptionalInt missed = IntStream.range(0, splits.wanted())
                    .filter(i -> !holds.contains(i))
                    .findFirst();
            if (missed.isEmpty()) {
                return Optional.of(split);
            }
            int i = missed.getAsInt();
            int most = splits.most(i, wants);
            OptionalInt enough = smallest(i, wants, wants[i] + 1, most, some -> some.contains(i));
            if (enough.isEmpty()) {
                lacking = missed;
                nearest = wants[i] < most ? splits.along(i, most, wants) : Optional.of(split);
                return Optional.empty();
            }
            wants[i] = enough.getAsInt();
        }
    }

    /** Whole rounds until none has less, so that each line goes through what comes out. */
    private Split lowered(Split found) {
        Split best = found;
        boolean isLower;
        do {
            isLower = false;
            for (int i = 0; i < splits.wanted(); i++) {
                int[] wants = splits.wants(best);
                OptionalInt enough = smallest(i, wants, 1, splits.mostOfAll(i, wants), this::areAll);
                Split other = splits.along(i, enough.orElse(wants[i]), wants).orElse(best);
                if (splits.total(other) < splits.total(best)) {
                    best = other;
                    isLower = true;
                }
            }
        } while (isLower);
        return best;
    }

    private OptionalInt smallest(int i, int[] wants, int least, int most, Predicate<Set<Integer>> holds) {
        if (least > most) {
            return OptionalInt.empty();
        }
        TreeMap<Integer, Split> line = new TreeMap<>();
        lines.put(i, line);
        SizeSearch search = new SizeSearch(least, most, percents -> {
            Map<Integer, Split> some = new TreeMap<>();
            percents.forEach(percent -> splits.along(i, percent, wants).ifPresent(split -> some.put(percent, split)));
            look(some.values());
            line.putAll(some);
            Map<Integer, Boolean> answers = new HashMap<>();
            percents.forEach(percent -> {
                Split split = some.get(percent);
                answers.put(percent, split != null && holds.test(look(split)));
            });
            return answers;
        });
        int first = wants[i] >= least ? wants[i] : (int) Math.round(splits.now(i));
        return search.smallest(Math.max(least, Math.min(most, first)));
    }

    private Optional<Split> ofGrid() {
        SplitGrid grid = SplitGrid.of(splits);
        step = grid.step();
        List<Split> all = grid.splits();
        step.ifPresent(percents -> progress.accept("nothing found by raising one queue after the other; now all "
                + all.size() + " splits in steps of " + Shares.shown(percents)));
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            List<Split> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
            look(some);
            Optional<Split> found = some.stream().filter(this::allHold).findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private boolean allHold(Split split) {
        return areAll(look(split));
    }

    private boolean areAll(Set<Integer> holds) {
        return holds.size() == splits.wanted();
    }

    private Set<Integer> look(Split split) {
        look(List.of(split));
        return Objects.requireNonNull(known.get(split));
    }

    private void look(Collection<Split> some) {
        List<Split> fresh = some.stream()
                .filter(split -> !known.containsKey(split))
                .distinct()
                .toList();
        if (!fresh.isEmpty()) {
            known.putAll(look.at(fresh));
        }
    }
}
