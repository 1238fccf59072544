// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import java.util.Optional;

/**
 * What the scheduler says of something.
 *
 * @param found what it says; empty where it says nothing
 * @param mayView whether the caller may see it
 * @param trouble why it says nothing, one line for people; empty where {@code found} is present
 */
record SchedulerAnswer<T>(Optional<T> found, boolean mayView, String trouble) {
    static <T> SchedulerAnswer<T> of(T found) {
        return new SchedulerAnswer<>(Optional.of(found), true, "");
    }

    static <T> SchedulerAnswer<T> forbidden() {
        return new SchedulerAnswer<>(Optional.empty(), false, "you may not view it");
    }

    static <T> SchedulerAnswer<T> none(String trouble) {
        return new SchedulerAnswer<>(Optional.empty(), true, trouble);
    }
}
