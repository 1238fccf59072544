// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import org.apache.hadoop.yarn.webapp.BadRequestException;
import org.apache.hadoop.yarn.webapp.ForbiddenException;
import org.apache.hadoop.yarn.webapp.NotFoundException;

/** Hadoop's exceptions that become answers, with a message that is the same whatever Hadoop makes the answer of. */
final class HttpErrors {
    private HttpErrors() {}

    static BadRequestException badRequest(String message) {
        return new BadRequestException(new Said(message));
    }

    static ForbiddenException forbidden(String message) {
        return new ForbiddenException(new Said(message));
    }

    static NotFoundException notFound(String message) {
        return new NotFoundException(new Said(message));
    }

    /** Hadoop 3.5 answers with the cause's message, 3.4 with its text, which usually begins with the name of its class. */
    @SuppressWarnings("OverrideThrowableToString") // It is the text that 3.4 answers with.
    private static final class Said extends Exception {
        private static final long serialVersionUID = 1L;

        Said(String message) {
            super(message);
        }

        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
