// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy.order;

import io.treadle.core.job.JobView;
import java.util.function.Supplier;

/** An order in which, of two jobs with equal keys, the one that came to the queue first, or came back first, is served. */
public record TiesInQueue(Order order) implements Order {
    @Override
    public String name() {
        return order.name();
    }

    @Override
    public double key(JobView job, Moment moment) {
        return order.key(job, moment);
    }

    @Override
    public double tieKey(JobView job) {
        return 0;
    }

    @Override
    public long turnEndsMs(JobView job, long nowMs) {
        return order.turnEndsMs(job, nowMs);
    }

    @Override
    public Order expecting(Supplier<ServiceTimes> times) {
        return new TiesInQueue(order.expecting(times));
    }

    @Override
    public boolean isTimeless() {
        return order.isTimeless();
    }
}
