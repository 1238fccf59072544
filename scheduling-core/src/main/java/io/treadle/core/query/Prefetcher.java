// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.query;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Chooses models to fetch while another task runs: of the next tasks, those that are missing and have room without any other
 * going, up to the first that has none.
 *
 * @param lookAhead how many of the next tasks are looked at, 0 or more
 * @param models how many are fetched at most each time that a task starts, 0 or more
 */
public record Prefetcher(int lookAhead, int models) {
    /** As Compass has it. */
    public static final Prefetcher USUAL = new Prefetcher(3, 1);

    public static final Prefetcher NONE = new Prefetcher(0, 0);

    public Prefetcher {
        checkArgument(lookAhead >= 0, "looks %s tasks ahead, must be 0 or more", lookAhead);
        checkArgument(models >= 0, "fetches %s models, must be 0 or more", models);
    }

    /** @param upcoming the models of the tasks that wait, the next one first */
    public List<Model> choose(Iterable<? extends Collection<Model>> upcoming, GpuModelCache cache) {
        List<Model> chosen = new ArrayList<>();
        double freeKb = cache.freeKb();
        int seen = 0;
        for (Collection<Model> task : upcoming) {
            if (seen++ == lookAhead) {
                return chosen;
            }
            for (Model model : task) {
                if (cache.holds(model.id()) || chosen.contains(model)) {
                    continue;
                }
                if (chosen.size() == models || model.kb() > freeKb) {
                    return chosen;
                }
                chosen.add(model);
                freeKb -= model.kb();
            }
        }
        return chosen;
    }
}
