// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * How queues can share all of what their parent is sure to get. Queues with goals get what they want. The others share
 * the rest in proportion to what they have now: 1 % or more, or nothing where that is what they have. What they may not
 * hold goes to the queues with goals, in proportion to what those want.
 *
 * <p>Queues with goals are counted from 0 in their order; what they want is an array of as many percents.
 */
final class Splits {
    static final int ALL = 100;

    private final List<Queue> queues;
    private final int[] wanted;
    private final int[] others;

    /**
     * One of the queues.
     *
     * @param now percent that it has
     * @param most percent that it may have
     * @param isWanted whether it has a goal
     */
    record Queue(double now, int most, boolean isWanted) {}

    Splits(List<Queue> queues) {
        this.queues = List.copyOf(queues);
        wanted = places(Queue::isWanted);
        others = places(queue -> !queue.isWanted() && queue.now() > 0);
    }

    private int[] places(Predicate<Queue> predicate) {
        return IntStream.range(0, queues.size())
                .filter(i -> predicate.test(queues.get(i)))
                .toArray();
    }

    /** What there is, if it is such a split. */
    Optional<Split> split(Shares now) {
        boolean isWhole = now.queues().stream().allMatch(share -> share.percent() == Math.rint(share.percent()));
        Split split = new Split(now.queues().stream()
                .map(share -> (int) Math.rint(share.percent()))
                .toList());
        return isWhole && Arrays.stream(wants(split)).allMatch(want -> want > 0)
                ? split(wants(split)).filter(split::equals)
                : Optional.empty();
    }

    /** How many queues have goals. */
    int wanted() {
        return wanted.length;
    }

    /** What the queue with a goal has. */
    int of(Split split, int i) {
        return split.percents().get(wanted[i]);
    }

    int[] wants(Split split) {
        return Arrays.stream(wanted).map(split.percents()::get).toArray();
    }

    double now(int i) {
        return queues.get(wanted[i]).now();
    }

    /** What the queue with a goal may have while the others with goals get what they want. */
    int most(int i, int[] wants) {
        return Math.min(
                queues.get(wanted[i]).most(),
                ALL - others.length - Arrays.stream(wants).sum() + wants[i]);
    }

    /** What it may have where others get less than they want, if there is nobody else to get less. */
    int mostOfAll(int i, int[] wants) {
        return others.length > 0
                ? most(i, wants)
                : Math.min(queues.get(wanted[i]).most(), ALL - wanted.length + 1);
    }

    /** What queues with goals have together, in percents. */
    int total(Split split) {
        return Arrays.stream(wants(split)).sum();
    }

    /** What queues with goals have together at least, since the others may not hold more. */
    int leastTotal() {
        return ALL
                - Math.min(
                        ALL,
                        Arrays.stream(others).map(i -> queues.get(i).most()).sum());
    }

    /** What queues with goals have together at most. */
    int mostTotal() {
        return ALL - others.length;
    }

    /** All get what they want; empty where that, or so much in all, cannot be. */
    Optional<Split> split(int[] wants) {
        return split(wants, -1);
    }

    /** One gets just so much, the others what they want or, where nobody else could get less, their parts of it. */
    Optional<Split> along(int i, int percent, int[] wants) {
        int[] with = wants.clone();
        with[i] = percent;
        return split(with, i);
    }

    /** @param exact the queue with a goal that gets just what it wants; negative for none */
    private Optional<Split> split(int[] wants, int exact) {
        int rest = ALL - Arrays.stream(wants).sum();
        if (rest < others.length && (others.length > 0 || exact < 0)) {
            return Optional.empty();
        }
        int[] ones = IntStream.generate(() -> 1).limit(others.length).toArray();
        double[] now =
                Arrays.stream(others).mapToDouble(i -> queues.get(i).now()).toArray();
        int[] ofOthers = ShareOut.of(rest, ones, now, most(others));
        int[] ofWanted = withLeft(wants, exact, rest - Arrays.stream(ofOthers).sum());
        List<Integer> percents = new ArrayList<>(Collections.nCopies(queues.size(), 0));
        IntStream.range(0, others.length).forEach(i -> percents.set(others[i], ofOthers[i]));
        IntStream.range(0, wanted.length).forEach(i -> percents.set(wanted[i], ofWanted[i]));
        boolean isAll = percents.stream().mapToInt(percent -> percent).sum() == ALL;
        boolean isAllowed = IntStream.range(0, queues.size())
                .allMatch(i -> percents.get(i) <= queues.get(i).most());
        return isAll && isAllowed ? Optional.of(new Split(percents)) : Optional.empty();
    }

    /** @param left percents that are left over, or below 0 that are missing */
    private int[] withLeft(int[] wants, int exact, int left) {
        int[] free = IntStream.range(0, wants.length).filter(i -> i != exact).toArray();
        int[] least = Arrays.stream(free).map(i -> left < 0 ? 1 : wants[i]).toArray();
        double[] weights = Arrays.stream(free).mapToDouble(i -> wants[i]).toArray();
        int[] places = Arrays.stream(free).map(i -> wanted[i]).toArray();
        int total = Arrays.stream(free).map(i -> wants[i]).sum() + left;
        int[] shares = ShareOut.of(total, least, weights, most(places));
        int[] all = wants.clone();
        IntStream.range(0, free.length).forEach(i -> all[free[i]] = shares[i]);
        return all;
    }

    private int[] most(int[] places) {
        return Arrays.stream(places).map(i -> queues.get(i).most()).toArray();
    }
}
