// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.random;

import java.util.Arrays;

/**
 * The additive lagged Fibonacci generator {@code x[n] = x[n-607] + x[n-273]} modulo 2^64 (Knuth, The Art of Computer
 * Programming 3.2.2), which can jump over any number of steps.
 */
final class LaggedFibonacci {
    static final int LENGTH = 607;
    private static final int TAP = 273;

    /** The last 607 numbers; the oldest is at {@link #oldest}, then they go on in a circle. */
    private final long[] last;

    private int oldest;

    /** @param last 607 numbers, oldest first */
    LaggedFibonacci(long[] last) {
        if (last.length != LENGTH) {
            throw new IllegalArgumentException("state has " + last.length + " numbers, must have " + LENGTH);
        }
        this.last = last.clone();
    }

    long next() {
        int tapped = oldest + LENGTH - TAP;
        long number = last[oldest] + last[tapped < LENGTH ? tapped : tapped - LENGTH];
        last[oldest] = number;
        oldest = oldest + 1 < LENGTH ? oldest + 1 : 0;
        return number;
    }

    /**
     * The 607 numbers, oldest first, that are the last after {@code steps} more.
     *
     * <p>The recurrence says that x^607 = x^334 + 1 for the shift x; so {@code x^steps} is a polynomial of degree 606,
     * and its coefficients are the weights with which the present numbers make up the one so many steps on.
     */
    static long[] jump(long[] last, long steps) {
        long[] weights = powerOfShift(steps);
        long[] numbers = new long[2 * LENGTH];
        LaggedFibonacci generator = new LaggedFibonacci(last);
        System.arraycopy(last, 0, numbers, 0, LENGTH);
        for (int i = LENGTH; i < numbers.length; i++) {
            numbers[i] = generator.next();
        }
        long[] then = new long[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            for (int k = 0; k < LENGTH; k++) {
                then[i] += weights[k] * numbers[i + k];
            }
        }
        return then;
    }

    private static long[] powerOfShift(long exponent) {
        long[] power = new long[LENGTH];
        power[0] = 1;
        for (int bit = Long.SIZE - Long.numberOfLeadingZeros(exponent) - 1; bit >= 0; bit--) {
            long[] product = new long[2 * LENGTH];
            int shift = (int) (exponent >>> bit & 1);
            for (int i = 0; i < LENGTH; i++) {
                for (int k = 0; k < LENGTH; k++) {
                    product[i + k + shift] += power[i] * power[k];
                }
            }
            power = reduced(product);
        }
        return power;
    }

    private static long[] reduced(long[] polynomial) {
        for (int i = polynomial.length - 1; i >= LENGTH; i--) {
            polynomial[i - LENGTH] += polynomial[i];
            polynomial[i - TAP] += polynomial[i];
        }
        return Arrays.copyOf(polynomial, LENGTH);
    }
}
