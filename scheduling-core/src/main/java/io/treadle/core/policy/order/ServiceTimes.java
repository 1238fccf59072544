// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * How much service jobs take from start to end, in GPU-seconds, as a known list of jobs shows it, and what that says of a
 * job that has had some already.
 *
 * <p>The Gittins index of a job that has attained a is the supremum, over all quanta d, of P(S − a ≤ d | S &gt; a) ÷
 * E[min(S − a, d) | S &gt; a] (Gittins, 1989; Tiresias, NSDI 2019, section 4): how likely it is to end within the
 * quantum for each GPU-second of it. As Tiresias puts jobs of about the same service into one queue, service is looked at
 * in classes, four to each doubling: a counts as the lower limit of its class, and quanta end at limits. Else the index
 * would leap shortly before each single job of the list.
 */
public final class ServiceTimes {
    private static final int CLASSES_IN_DOUBLING = 4;

    /** Where no job is known. */
    public static final ServiceTimes NONE = new ServiceTimes(new double[0], new double[0]);

    /** GPU-seconds at which classes begin, from 0; the last is beyond every job. */
    private final double[] limits;

    private final double[] indices;

    private ServiceTimes(double[] limits, double[] indices) {
        this.limits = limits;
        this.indices = indices;
    }

    /** @param gpuSeconds of each job, from start to end */
    public static ServiceTimes of(DoubleStream gpuSeconds) {
        double[] sorted = gpuSeconds.filter(service -> service > 0).sorted().toArray();
        if (sorted.length == 0) {
            return NONE;
        }
        double[] limits = limits(sorted[sorted.length - 1]);
        // Jobs that end by each limit, and the service of all jobs up to it.
        double[] ended = new double[limits.length];
        double[] service = new double[limits.length];
        double servedInFull = 0;
        int next = 0;
        for (int i = 0; i < limits.length; i++) {
            while (next < sorted.length && sorted[next] <= limits[i]) {
                servedInFull += sorted[next++];
            }
            ended[i] = next;
            service[i] = servedInFull + (sorted.length - next) * limits[i];
        }
        double[] indices = new double[limits.length];
        for (int from = 0; from < limits.length; from++) {
            for (int to = from + 1; to < limits.length && ended[from] < sorted.length; to++) {
                indices[from] = Math.max(indices[from], (ended[to] - ended[from]) / (service[to] - service[from]));
            }
        }
        return new ServiceTimes(limits, indices);
    }

    private static double[] limits(double most) {
        int classes = 2 + Math.max(0, (int) Math.ceil(Math.log(most) / Math.log(2) * CLASSES_IN_DOUBLING + 1e-9));
        double[] limits = new double[classes + 1];
        for (int i = 1; i < limits.length; i++) {
            limits[i] = Math.pow(2, (i - 1) / (double) CLASSES_IN_DOUBLING);
        }
        return limits;
    }

    boolean isEmpty() {
        return limits.length == 0;
    }

    /** The Gittins index of a job that has attained so many GPU-seconds; 0 where no known job has taken longer. */
    double gittinsIndex(double attained) {
        int found = Arrays.binarySearch(limits, attained);
        return indices[found >= 0 ? found : Math.max(0, -found - 2)];
    }
}
