// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Results with figures that can be told by hand. */
public final class ServeResults {
    private ServeResults() {}

    /** Latencies of 1 to 100 ms under compass, three times that under hash, where one of 101 fails and one in four models was there. */
    public static ServeResult two() {
        List<Answered> ours = new ArrayList<>();
        List<Answered> theirs = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            String workflow = i <= 50 ? "recognise" : "a <b>";
            ours.add(new Answered(i * 20, i, workflow, 200, i % 10 != 0));
            theirs.add(new Answered(i * 20, 3 * i, workflow, 200, true));
        }
        theirs.add(new Answered(2020, 60_000, "recognise", 504, false));
        ServeFigures figures = new ServeFigures("ready", 3, 200, 150, 0, List.of());
        return new ServeResult(
                List.of(new PolicyRun("hash", theirs, Optional.of(figures)), new PolicyRun("compass", ours)),
                50,
                "3 workers & 40 MiB");
    }
}
