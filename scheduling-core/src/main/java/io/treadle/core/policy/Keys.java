// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

import io.treadle.core.job.JobView;
import io.treadle.core.policy.order.Moment;
import io.treadle.core.policy.order.Order;
import java.util.Comparator;

/** An order as a comparator of jobs. */
final class Keys {
    private Keys() {}

    static Comparator<JobView> comparator(Order order, Moment moment) {
        Order second = order.amongFresh();
        return (a, b) -> {
            int first = Double.compare(order.key(a, moment), order.key(b, moment));
            return first != 0 || second == order ? first : Double.compare(second.key(a, moment), second.key(b, moment));
        };
    }
}
