// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.runner;

import io.treadle.am.protocol.Directive;
import io.treadle.am.protocol.FinishedMessage;
import io.treadle.am.protocol.RegisterMessage;
import io.treadle.am.protocol.ReportMessage;
import java.io.IOException;

/** The runner's three calls; each is answered with what should be so. */
interface AmCalls {
    Directive register(RegisterMessage message) throws IOException;

    /** @throws RegisterFirstException if the ApplicationMaster is a new one that does not know the runner */
    Directive report(ReportMessage message) throws IOException;

    Directive finished(FinishedMessage message) throws IOException;

    /** The ApplicationMaster wants the runner's registration before anything else. */
    final class RegisterFirstException extends IOException {
        private static final long serialVersionUID = 1L;

        RegisterFirstException() {
            super("the ApplicationMaster does not know this runner yet");
        }
    }
}
