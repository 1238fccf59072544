// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.spec.JobSpec;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.core.wire.GangSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GangTest {
    private static Gang of(int workers) {
        return new Gang(
                List.of(new JobSpec.TaskGroup("worker", workers, 1, 1, 0, List.of(), 1, 256, 0, 0, "true", Map.of())));
    }

    private static void fill(Gang gang, int place) {
        gang.slots().get(place).member =
                new Member(new GrantedContainer("c" + place, "host", "host:8042", 1, 1, 256, 0), 0);
    }

    private static List<Long> samples(Gang gang) {
        return gang.slots().stream().map(slot -> slot.samples).toList();
    }

    private static void done(Gang gang, long... byPlace) {
        for (int place = 0; place < byPlace.length; place++) {
            gang.slots().get(place).samples = byPlace[place];
        }
    }

    private static SavedState.Slot slot(int index, String containerId, boolean member, long samples) {
        return new SavedState.Slot(
                GangSpec.requestIdOf(0), index, containerId, "host", 7000, member, samples, 0, false, -1, false);
    }

    @Test
    void samplesGoWithTheRankAndNotWithThePlace() {
        Gang gang = of(3);
        fill(gang, 0);
        fill(gang, 1);
        fill(gang, 2);
        gang.countByRank();
        done(gang, 500, 500, 10);
        gang.slots().get(1).member = null;
        gang.countByRank();
        assertEquals(List.of(500L, 10L, 500L), samples(gang), "the third place is the second rank now");
        done(gang, 520, 10, 520);
        assertEquals(1050, gang.samples());
        fill(gang, 1);
        gang.countByRank();
        assertEquals(List.of(520L, 520L, 10L), samples(gang), "and the third again");
        gang.slots().get(0).member = null;
        gang.countByRank();
        assertEquals(List.of(10L, 520L, 520L), samples(gang));
        assertEquals(1050, gang.samples());
    }

    @Test
    void aGangThatGrowsKeepsWhatItsFirstRanksHaveDone() {
        Gang gang = of(3);
        fill(gang, 1);
        gang.countByRank();
        done(gang, 0, 70, 0);
        fill(gang, 0);
        fill(gang, 2);
        gang.countByRank();
        assertEquals(List.of(70L, 0L, 0L), samples(gang), "who was alone was the first rank");
    }

    @Test
    void placesWithoutAWorkerKeepTheirSamplesOverARestartOfTheApplicationMaster() {
        Gang gang = of(3);
        Map<String, GrantedContainer> left = new HashMap<>();
        left.put("c2", new GrantedContainer("c2", "host", "host:8042", 1, 1, 256, 0));
        List<SavedState.Slot> slots =
                List.of(slot(1, "c1", true, 500), slot(2, "c2", true, 490), slot(0, "", false, 30));
        SavedState saved =
                new SavedState(3, true, "host", 1, 0, 0, 0, slots, Optional.empty(), List.of(), Optional.empty(), 0);
        assertTrue(gang.restore(saved, left, 0), "c1 is lost");
        assertEquals(List.of(30L, 500L, 490L), samples(gang));
        gang.countByRank();
        // The first rank has done 500: that is c2 now.
        assertEquals(List.of(490L, 30L, 500L), samples(gang));
    }

    /** Then no container belongs to a start. */
    @Test
    void ranksOutliveARestartWhileTheGangIsFormed() {
        Gang gang = of(3);
        Map<String, GrantedContainer> left = new HashMap<>();
        left.put("c0", new GrantedContainer("c0", "host", "host:8042", 1, 1, 256, 0));
        left.put("c2", new GrantedContainer("c2", "host", "host:8042", 1, 1, 256, 0));
        List<SavedState.Slot> slots =
                List.of(slot(0, "c0", false, 500), slot(2, "c2", false, 490), slot(1, "", false, 30));
        gang.restore(
                new SavedState(3, false, "", 0, 0, 0, 0, slots, Optional.empty(), List.of(), Optional.empty(), 0),
                left,
                0);
        gang.countByRank();
        assertEquals(List.of(500L, 30L, 490L), samples(gang));
    }
}
