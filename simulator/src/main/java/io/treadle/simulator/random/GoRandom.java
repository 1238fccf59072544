// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.random;

/**
 * Go's {@code math/rand} after {@code rand.Seed}, number for number (Go 1.10 and later): many published schedulers'
 * experiments are drawn from it, and only the same draws give the same experiment.
 *
 * <p>Go ships the state of its generator after 7.8e12 steps from seed 1 as a table ({@code rng.go}); here it is computed
 * by a jump over as many steps.
 */
public final class GoRandom {
    private static final long WARM_UP_STEPS = 7_800_000_000_000L;
    /** The slot of Go's state that its first number overwrites, the oldest; the numbers go on downwards from there. */
    private static final int OLDEST_SLOT = 333;

    private static final long LEHMER_MODULUS = Integer.MAX_VALUE;
    private static final long LEHMER_FACTOR = 48271;
    private static final int LEHMER_WARM_UP = 20;
    /** Stands in for a seed of 0, from which Lehmer's generator never leaves. */
    private static final long SEED_FOR_ZERO = 89_482_311;

    private static final long[] WARMED_UP = warmedUp();

    private final LaggedFibonacci numbers;

    public GoRandom(long seed) {
        long[] slots = lehmer(seed, 40, 20);
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] ^= WARMED_UP[slot];
        }
        numbers = new LaggedFibonacci(byAge(slots));
    }

    /** {@code Int63}: 63 random bits. */
    public long next63() {
        return numbers.next() & Long.MAX_VALUE;
    }

    /** {@code Intn}: from 0 to below {@code bound}. */
    public int below(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound is " + bound + ", must be above 0");
        }
        if (Integer.bitCount(bound) == 1) {
            return next31() & (bound - 1);
        }
        int most = (int) (Integer.MAX_VALUE - (1L << 31) % bound);
        int number = next31();
        while (number > most) {
            number = next31();
        }
        return number % bound;
    }

    /** {@code Perm}: the numbers from 0 to below {@code count} in random order. */
    public int[] permutation(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int other = below(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /** {@code Shuffle}, told as an order: which of {@code count} things comes first, second and so on. */
    public int[] shuffle(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        for (int i = count - 1; i > 0; i--) {
            int other = belowByProduct(i + 1);
            int moved = order[i];
            order[i] = order[other];
            order[other] = moved;
        }
        return order;
    }

    private int next31() {
        return (int) (next63() >>> 32);
    }

    /** Lemire's way (Fast Random Integer Generation in an Interval), which Go uses to shuffle and nowhere else. */
    private int belowByProduct(int bound) {
        long product = next32() * bound;
        long low = product & 0xFFFF_FFFFL;
        if (low < bound) {
            long threshold = (1L << 32) % bound;
            while (low < threshold) {
                product = next32() * bound;
                low = product & 0xFFFF_FFFFL;
            }
        }
        return (int) (product >>> 32);
    }

    private long next32() {
        return next63() >>> 31;
    }

    private static long[] warmedUp() {
        long[] then = LaggedFibonacci.jump(byAge(lehmer(1, 20, 10)), WARM_UP_STEPS);
        long[] slots = new long[then.length];
        for (int age = 0; age < then.length; age++) {
            slots[slot(WARM_UP_STEPS + age)] = then[age];
        }
        return slots;
    }

    /** Fills Go's slots from three numbers of Lehmer's generator each, the first two shifted by so many bits. */
    private static long[] lehmer(long seed, int shiftFirst, int shiftSecond) {
        long x = Math.floorMod(seed, LEHMER_MODULUS);
        x = x == 0 ? SEED_FOR_ZERO : x;
        for (int i = 0; i < LEHMER_WARM_UP; i++) {
            x = x * LEHMER_FACTOR % LEHMER_MODULUS;
        }
        long[] slots = new long[LaggedFibonacci.LENGTH];
        for (int i = 0; i < slots.length; i++) {
            long first = x * LEHMER_FACTOR % LEHMER_MODULUS;
            long second = first * LEHMER_FACTOR % LEHMER_MODULUS;
            x = second * LEHMER_FACTOR % LEHMER_MODULUS;
            slots[i] = first << shiftFirst ^ second << shiftSecond ^ x;
        }
        return slots;
    }

    private static long[] byAge(long[] slots) {
        long[] oldestFirst = new long[slots.length];
        for (int age = 0; age < slots.length; age++) {
            oldestFirst[age] = slots[slot(age)];
        }
        return oldestFirst;
    }

    /** Where Go keeps the number of this step, 0 for the oldest of the seed. */
    private static int slot(long step) {
        return (int) Math.floorMod(OLDEST_SLOT - step, (long) LaggedFibonacci.LENGTH);
    }
}
