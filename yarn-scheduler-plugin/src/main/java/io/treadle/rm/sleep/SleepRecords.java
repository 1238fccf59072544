// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.sleep;

import io.treadle.core.wire.SleepingNodesRecord;
import java.util.Optional;

/** Where it is written down which nodes are off, for the ResourceManager that comes next. Its calls do not block. */
public interface SleepRecords {
    /** Asks to read what stands there, unless it is known. */
    void read();

    /** Asks to write it, unless it stands there. */
    void keep(SleepingNodesRecord record);

    /** What stands there for sure; empty as long as it could not be read. */
    Optional<SleepingNodesRecord> standing();

    /** Why it cannot be read or written, as a whole sentence; empty where nothing is wrong but that it takes time. */
    Optional<String> trouble();

    /** For messages. */
    String place();
}
