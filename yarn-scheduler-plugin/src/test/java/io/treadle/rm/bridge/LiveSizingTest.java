// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.core.job.ServerVcores;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.LayeredPsModel;
import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.GangSpec;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import io.treadle.core.wire.SizingSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LiveSizingTest {
    private static final GangSpec JOB = new GangSpec(
            List.of(
                    new GangSpec.Group("worker", 1, 4, ResourceVector.of(1, 2, 1024), List.of()),
                    new GangSpec.Group("ps", 1, 4, ResourceVector.of(0, 1, 512), List.of())),
            "",
            0,
            true,
            0,
            "");

    @Test
    void jobThatSaysNothingIsWorthItsPriorityAndOne() {
        Sizing sizing = LiveSizing.of(JOB, Optional.empty(), 4, OptionalDouble.empty());
        assertEquals(new Utility(5, 0.1, OptionalDouble.empty()), sizing.utility());
        assertEquals(Optional.empty(), sizing.model());
        assertEquals(Optional.empty(), sizing.cap());
        assertEquals(
                1,
                LiveSizing.of(JOB, Optional.empty(), -3, OptionalDouble.empty())
                        .utility()
                        .weight());
    }

    @Test
    void whatTheJobSaysAndWhatWasMeasuredComeTogether() {
        LayeredPsModel model = LayeredPsModel.ofWhole(0.01, 0.05, 0.2, 0.001, 0.002, Mode.SYNC, 64);
        ProfileRecord profile = new ProfileRecord(
                        "application_1_0001", "", "", 0, ProfileRecord.Phase.READY, 1, List.of(), 0)
                .withServers(Optional.of(new ProfileServers(PsModels.wire(model), List.of(), OptionalDouble.empty())));
        SizingSpec said = new SizingSpec(OptionalDouble.of(50), 2, OptionalDouble.of(3), ResourceVector.of(2, 0, 4096));
        Sizing sizing = LiveSizing.of(JOB.with(said), Optional.of(profile), 4, OptionalDouble.of(50));
        assertEquals(new Utility(50, 2, OptionalDouble.of(3)), sizing.utility());
        assertEquals(Optional.of(model), sizing.model());
        assertEquals(Optional.of(ResourceVector.of(2, 12, 4096)), sizing.cap());
        assertEquals(Optional.empty(), sizing.servers());
    }

    @Test
    void nobodyIsWorthMoreThanItsQueueLetsItSay() {
        assertEquals(5, weight(1e9, 4, OptionalDouble.empty()), "as much as its priority gives");
        assertEquals(1, weight(1e9, -3, OptionalDouble.empty()));
        assertEquals(20, weight(1e9, 4, OptionalDouble.of(20)));
        assertEquals(0.5, weight(1e9, 4, OptionalDouble.of(0.5)));
        assertEquals(0.01, weight(0.01, 4, OptionalDouble.of(20)), "less is its own affair");
        assertEquals(
                5,
                LiveSizing.of(JOB, Optional.empty(), 4, OptionalDouble.of(20))
                        .utility()
                        .weight(),
                "a limit is no gift");
        assertEquals(
                0.5,
                LiveSizing.of(JOB, Optional.empty(), 4, OptionalDouble.of(0.5))
                        .utility()
                        .weight(),
                "nor does silence get past it");
    }

    private static double weight(double said, int priority, OptionalDouble most) {
        SizingSpec sizing = new SizingSpec(OptionalDouble.of(said), 1, OptionalDouble.empty(), ResourceVector.ZERO);
        return LiveSizing.of(JOB.with(sizing), Optional.empty(), priority, most)
                .utility()
                .weight();
    }

    /** A cap holds for vcores where the job names them: groups' maxima are no limit to what is idle. */
    @Test
    void whatServersCanUseKeepsWithinACapOfVcores() {
        ProfileRecord profile = new ProfileRecord(
                        "application_1_0001", "", "", 0, ProfileRecord.Phase.READY, 1, List.of(), 0)
                .withServers(Optional.of(ProfileServers.ofVcores(ServersModel.Mode.SYNC, 6)));
        Sizing free = LiveSizing.of(JOB, Optional.of(profile), 0, OptionalDouble.empty());
        assertEquals(Optional.of(new ServerVcores(6, OptionalLong.empty())), free.servers());
        assertEquals(Optional.empty(), free.model());
        SizingSpec said = new SizingSpec(OptionalDouble.empty(), 2, OptionalDouble.empty(), ResourceVector.of(0, 9, 0));
        Sizing capped = LiveSizing.of(JOB.with(said), Optional.of(profile), 0, OptionalDouble.empty());
        assertEquals(Optional.of(new ServerVcores(6, OptionalLong.of(9))), capped.servers());
    }
}
