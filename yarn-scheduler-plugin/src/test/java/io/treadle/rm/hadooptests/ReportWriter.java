// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import com.google.common.base.Throwables;
import java.io.PrintWriter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** One line per test, written when it ends; a container (a class, a parameterised method) only where it fails. */
final class ReportWriter implements TestExecutionListener {
    static final String END = "END";

    private final PrintWriter report;

    ReportWriter(PrintWriter report) {
        this.report = report;
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

    private void line(String outcome, TestIdentifier test, String said) {
        report.println(outcome + "\t" + test.getUniqueId() + "\t"
                + said.replace("\n", "\\n").replace("\t", "  "));
    }
}
