// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A colour for each job: Okabe and Ito's palette, told apart by colour-blind people too, dark text readable on all. */
final class JobColours {
    private static final List<String> COLOURS =
            List.of("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d55e00", "#8da0cb");

    private JobColours() {}

    static String of(ApplicationId id) {
        return COLOURS.get(id.getId() % COLOURS.size());
    }
}
