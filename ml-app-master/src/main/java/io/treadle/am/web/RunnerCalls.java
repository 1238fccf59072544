// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.web;

import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;

/** What the job's state machine answers to runners. */
public interface RunnerCalls {
    Directive register(RegisterMessage message) throws RefusedException;

    Directive report(ReportMessage message) throws RefusedException;

    Directive finished(FinishedMessage message) throws RefusedException;

    /** The call is answered with an HTTP status of the protocol instead of a directive. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        public RefusedException(int status, String message) {
            super(message);
            this.status = status;
        }

        public int status() {
            return status;
        }
    }
}
