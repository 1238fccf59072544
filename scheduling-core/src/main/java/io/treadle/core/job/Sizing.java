// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.job;

import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.resource.ResourceVector;
import java.util.Optional;

/**
 * What a policy goes by that chooses how many workers and parameter servers a job gets.
 *
 * @param utility what its end is worth
 * @param model how fast it is with which numbers of them; empty where nobody knows
 * @param cap the most that all its tasks may hold together; empty for no more than its groups' maxima
 * @param probe the numbers at which it is to be measured next; empty where nothing is to be
 * @param servers vcores that its servers can use beyond what they ask for; empty where they can not
 */
public record Sizing(
        Utility utility,
        Optional<LayeredPsModel> model,
        Optional<ResourceVector> cap,
        Optional<PsSize> probe,
        Optional<ServerVcores> servers) {
    public static final Sizing UNKNOWN = new Sizing(Utility.UNKNOWN, Optional.empty(), Optional.empty());

    /** Of a job that is not to be measured. */
    public Sizing(Utility utility, Optional<LayeredPsModel> model, Optional<ResourceVector> cap) {
        this(utility, model, cap, Optional.empty(), Optional.empty());
    }

    public Sizing with(LayeredPsModel known) {
        return new Sizing(utility, Optional.of(known), cap, probe, servers);
    }

    public Sizing with(ServerVcores use) {
        return new Sizing(utility, model, cap, probe, Optional.of(use));
    }
}
