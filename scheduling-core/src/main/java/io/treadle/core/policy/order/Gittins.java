// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import com.google.common.base.Suppliers;
import io.treadle.core.job.JobView;
import java.util.function.Supplier;

/**
 * First the job that is likeliest to end soon for the GPU-seconds that it would take, by how much service other jobs took
 * and how much it has attained: the two-dimensional Gittins index (Tiresias, NSDI 2019). Where nothing is known of other
 * jobs, the one that has attained least, as {@link Las}.
 */
public final class Gittins implements Order {
    /** Worked out when it is first needed: most runs are of other orders. */
    private final Supplier<ServiceTimes> times;

    public Gittins() {
        this(() -> ServiceTimes.NONE);
    }

    private Gittins(Supplier<ServiceTimes> times) {
        this.times = times;
    }

    @Override
    public Order expecting(Supplier<ServiceTimes> known) {
        return new Gittins(Suppliers.memoize(known::get));
    }

    @Override
    public String name() {
        return "gittins";
    }

    @Override
    public double key(JobView job, Moment moment) {
        double attained = job.progress().attainedGpuSeconds(moment.nowMs());
        ServiceTimes known = times.get();
        return known.isEmpty() ? attained : -known.gittinsIndex(attained);
    }
}
