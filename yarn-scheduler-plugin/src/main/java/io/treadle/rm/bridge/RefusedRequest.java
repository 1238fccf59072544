// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import java.lang.reflect.Constructor;
import java.util.List;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exception for what an ApplicationMaster may not ask for. Hadoop answers the ApplicationMaster's heartbeat with it,
 * and nothing of the heartbeat is carried out. Its name was mended in 3.5, and Hadoop catches the one of its own version.
 */
final class RefusedRequest {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRequest.class);
    private static final List<String> NAMES = List.of(
            "org.apache.hadoop.yarn.exceptions.SchedulerInvalidResourceRequestException",
            "org.apache.hadoop.yarn.exceptions.SchedulerInvalidResoureRequestException");
    private static final Constructor<? extends YarnRuntimeException> OF_THIS_HADOOP = find();

    private RefusedRequest() {}

    /** @param message with the thing that is refused, its value and what would be right */
    static YarnRuntimeException of(String message) {
        try {
            return OF_THIS_HADOOP.newInstance(message);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(OF_THIS_HADOOP + " cannot be called", e);
        }
    }

    private static Constructor<? extends YarnRuntimeException> find() {
        for (String name : NAMES) {
            try {
                return Class.forName(name)
                        .asSubclass(YarnRuntimeException.class)
                        .getConstructor(String.class);
            } catch (ClassNotFoundException e) {
                LOG.debug("this Hadoop has no {}", name);
            } catch (NoSuchMethodException e) {
                throw new LinkageError(name + " is not made as that of Hadoop 3.4 and 3.5", e);
            }
        }
        throw new LinkageError("this Hadoop has none of " + String.join(", ", NAMES));
    }
}
