// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.policy;

/**
 * How a policy that serves jobs in an order goes about it, beside the order itself.
 *
 * @param strict whether the first job that does not fit holds up all that come after it
 * @param preemption whether jobs that run make way
 * @param migration whether, when a job has ended, small jobs that run move to where they fit tighter
 */
public record Discipline(boolean strict, Preemption preemption, boolean migration) {
    /** Jobs that do not fit are passed over, and what runs goes on: what the ResourceManager does. */
    public static final Discipline DEFAULT = new Discipline(false, Preemption.OFF);

    /** One in which nothing moves. */
    public Discipline(boolean strict, Preemption preemption) {
        this(strict, preemption, false);
    }

    public Discipline withMigration(boolean on) {
        return new Discipline(strict, preemption, on);
    }
}
