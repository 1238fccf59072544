// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import io.treadle.core.job.ServerVcores;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.SizingSpec;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What a policy goes by that chooses numbers of workers and servers: what the job said and what was measured of it. */
final class LiveSizing {
    private LiveSizing() {}

    /**
     * @param profile what is known of the job's speed
     * @param priority of its application
     * @param mostWeight the most that its queue lets it say that its end is worth; empty for its priority + 1
     */
    static Sizing of(GangSpec spec, Optional<ProfileRecord> profile, int priority, OptionalDouble mostWeight) {
        SizingSpec said = spec.sizing();
        Optional<ProfileServers> servers = profile.flatMap(ProfileRecord::servers);
        return new Sizing(
                new Utility(weight(said, priority, mostWeight), said.decayPerHour(), said.targetHours()),
                servers.flatMap(ProfileServers::model).map(PsModels::model),
                said.cap().isZero() ? Optional.empty() : Optional.of(spec.most()),
                servers.flatMap(ProfileServers::next).map(size -> new PsSize(size.workers(), size.servers())),
                servers.filter(known -> known.vcores().isPresent()).map(known -> vcores(known, said)));
    }

    /** Who could say any number would be let in before everybody else. */
    private static double weight(SizingSpec said, int priority, OptionalDouble most) {
        double ofPriority = Math.max(0, priority) + 1;
        return Math.min(said.weight().orElse(ofPriority), most.orElse(ofPriority));
    }

    /** A cap holds for vcores where it names them. */
    private static ServerVcores vcores(ProfileServers known, SizingSpec said) {
        long most = said.cap().vcores();
        return new ServerVcores(known.vcores().orElseThrow(), most > 0 ? OptionalLong.of(most) : OptionalLong.empty());
    }
}
