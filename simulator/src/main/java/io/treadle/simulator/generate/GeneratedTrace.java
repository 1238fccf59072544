// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import java.util.List;

/** Jobs in order of submission, column by column: a million of them are a few dozen MB. */
final class GeneratedTrace {
    private final double spanSeconds;
    private final long[] submit;
    private final int[] duration;
    private final int[] gpus;
    private final int[] user;
    private final byte[] state;
    private final List<String> states;
    private final List<String> queues;

    /**
     * Keeps the arrays.
     *
     * @param spanSeconds what the trace covers, from 0
     * @param submit s, rising
     * @param duration s, at least 1
     * @param gpus at least 1
     * @param user index of the user
     * @param state index into {@code states}
     * @param states how jobs end; empty where it is not known
     * @param queues of each user; empty text where there are none
     */
    GeneratedTrace(
            double spanSeconds,
            long[] submit,
            int[] duration,
            int[] gpus,
            int[] user,
            byte[] state,
            List<String> states,
            List<String> queues) {
        this.spanSeconds = spanSeconds;
        this.submit = submit;
        this.duration = duration;
        this.gpus = gpus;
        this.user = user;
        this.state = state;
        this.states = List.copyOf(states);
        this.queues = List.copyOf(queues);
    }

    int jobs() {
        return submit.length;
    }

    double spanSeconds() {
        return spanSeconds;
    }

    /** Of all jobs, s; not a copy, as the others. */
    long[] submit() {
        return submit;
    }

    int[] duration() {
        return duration;
    }

    int[] gpus() {
        return gpus;
    }

    int user(int job) {
        return user[job];
    }

    String queue(int job) {
        return queues.get(user[job]);
    }

    int state(int job) {
        return state[job];
    }

    /** Empty where it is not known. */
    String stateName(int job) {
        return states.isEmpty() ? "" : states.get(state[job]);
    }

    /** GPU-seconds of a job. */
    long gpuSeconds(int job) {
        return (long) duration[job] * gpus[job];
    }

    /** GPU-seconds of all jobs. */
    double gpuSeconds() {
        double sum = 0;
        for (int job = 0; job < jobs(); job++) {
            sum += gpuSeconds(job);
        }
        return sum;
    }
}
