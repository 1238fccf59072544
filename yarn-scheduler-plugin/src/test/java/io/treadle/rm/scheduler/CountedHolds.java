// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.scheduler;

import io.treadle.rm.bridge.SchedulerAccess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.function.Executable;

/** The running scheduler, with a count of what one thread does in each hold of its write lock. */
final class CountedHolds {
    private final SchedulerAccess real;
    private int committed;
    private int takenBack;
    private int committedInHold;
    private int takenBackInHold;
    private int mostCommitted;
    private int mostTakenBack;
    private int refuseAt = -1;
    private int failAt = -1;
    private boolean failsBefore;
    private int actAfter = -1;
    private Executable action = () -> {};

    CountedHolds(SchedulerAccess real) {
        this.real = real;
    }

    /** The commit of this member is refused, from 1. */
    CountedHolds refusing(int member) {
        refuseAt = member;
        return this;
    }

    /** The commit of this member ends with an exception, before or after Hadoop has noted it. */
    CountedHolds failing(int member, boolean before) {
        failAt = member;
        failsBefore = before;
        return this;
    }

    /** Runs once, without the lock, after the hold in which so many members were reached. */
    CountedHolds afterMembers(int members, Executable then) {
        actAfter = members;
        action = then;
        return this;
    }

    int committed() {
        return committed;
    }

    int takenBack() {
        return takenBack;
    }

    int mostCommitted() {
        return mostCommitted;
    }

    int mostTakenBack() {
        return mostTakenBack;
    }

    SchedulerAccess access() {
        return (SchedulerAccess) Proxy.newProxyInstance(
                SchedulerAccess.class.getClassLoader(),
                new Class<?>[] {SchedulerAccess.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "locked" -> {
                            return locked((BooleanSupplier) arguments[0]);
                        }
                        case "commitPlanned" -> {
                            committed++;
                            committedInHold++;
                            if (committed == refuseAt) {
                                return false;
                            }
                            if (committed == failAt) {
                                if (!failsBefore) {
                                    invoke(method, arguments);
                                }
                                throw new IllegalStateException("the commit fails");
                            }
                        }
                        case "takeBack" -> {
                            takenBack++;
                            takenBackInHold++;
                        }
                        default -> {}
                    }
                    return invoke(method, arguments);
                });
    }

    private boolean locked(BooleanSupplier work) {
        committedInHold = 0;
        takenBackInHold = 0;
        boolean result = real.locked(work);
        mostCommitted = Math.max(mostCommitted, committedInHold);
        mostTakenBack = Math.max(mostTakenBack, takenBackInHold);
        if (actAfter >= 0 && committed >= actAfter) {
            actAfter = -1;
            act();
        }
        return result;
    }

    private void act() {
        try {
            action.execute();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
