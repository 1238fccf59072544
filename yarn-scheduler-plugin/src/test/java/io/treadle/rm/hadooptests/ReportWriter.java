// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import com.google.common.base.Throwables;
import java.io.PrintWriter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes what is to run, and then one line when a test starts and one when it ends: where the JVM ends before, it can be
 * told which test ran and which were still to come. Of containers (a class, a parameterised method) it is written how they
 * ended only where they failed.
 */
final class ReportWriter implements TestExecutionListener {
    static final String PLANNED = "PLANNED";
    static final String STARTED = "STARTED";
    static final String DONE = "DONE";
    static final String END = "END";

    private final PrintWriter report;

    ReportWriter(PrintWriter report) {
        this.report = report;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        plan.getRoots().forEach(root -> plan.getDescendants(root).stream()
                .filter(this::isMethod)
                .forEach(test -> line(PLANNED, test, "")));
    }

    private boolean isMethod(TestIdentifier test) {
        return test.getSource().filter(MethodSource.class::isInstance).isPresent();
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (isMethod(test)) {
            line(STARTED, test, "");
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        line(Outcome.SKIPPED.name(), test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String said =
                result.getThrowable().map(Throwables::getStackTraceAsString).orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    line(Outcome.PASSED.name(), test, said);
                } else if (isMethod(test)) {
                    line(DONE, test, "");
                }
            }
            case ABORTED -> line(Outcome.SKIPPED.name(), test, said);
            case FAILED -> line(Outcome.FAILED.name(), test, said);
        }
    }

    /** A report without this line is one of a JVM that died. */
    void end(int redirected) {
        report.println(END + "\t" + redirected);
    }

    private void line(String what, TestIdentifier test, String said) {
        report.println(what + "\t" + test.getUniqueId() + "\t"
                + said.replace("\n", "\\n").replace("\t", "  "));
    }
}
