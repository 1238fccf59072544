// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.treadle.am.profile.ServerNeed.Use;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Servers that ask for 2 vcores each, looked at each second. */
class ServerNeedTest {
    private final ServerNeed need = new ServerNeed(2);
    private double seconds = 100;

    /** So many looks with servers that do this. */
    private void looks(int count, Use... servers) {
        for (int second = 0; second < count * ServerNeed.LOOK_SECONDS; second++) {
            need.look(seconds++, List.of(servers));
        }
    }

    private static Use[] both(long vcores, double used) {
        Use[] servers = new Use[2];
        Arrays.fill(servers, new Use(vcores, used));
        return servers;
    }

    @Test
    void whoUsesAllThatItHasCanUseTwiceThat() {
        looks(ServerNeed.FULL_LOOKS - 1, both(2, 1.9));
        assertEquals(OptionalLong.empty(), need.vcores(), "once may be chance");
        looks(1, both(2, 1.9));
        assertEquals(OptionalLong.of(4), need.vcores());
        looks(10, both(2, 1.9));
        assertEquals(OptionalLong.of(4), need.vcores(), "it has not got it yet");
        looks(ServerNeed.FULL_LOOKS, both(4, 3.9));
        assertEquals(OptionalLong.of(8), need.vcores());
    }

    @Test
    void theBusiestTells() {
        looks(ServerNeed.FULL_LOOKS, new Use(2, 0.2), new Use(3, 2.9));
        assertEquals(OptionalLong.of(6), need.vcores());
    }

    @Test
    void whoUsesLittleOfItNeedsAThirdMoreThanThat() {
        need.resume(OptionalLong.of(8));
        looks(ServerNeed.CALM_LOOKS - 1, both(8, 2.9));
        assertEquals(OptionalLong.of(8), need.vcores(), "a lull takes nothing away");
        looks(1, new Use(8, 1), new Use(8, 2.0));
        assertEquals(OptionalLong.of(4), need.vcores(), "2.9 and a third");
        looks(ServerNeed.CALM_LOOKS, both(4, 2.9));
        assertEquals(OptionalLong.of(4), need.vcores());
        looks(ServerNeed.CALM_LOOKS, both(4, 0.5));
        assertEquals(OptionalLong.empty(), need.vcores(), "never less than it asks for");
    }

    /** What it asked for was not there, and then it did not need it any more. */
    @Test
    void whoDoesWithWhatItHasNeedsNoMore() {
        looks(ServerNeed.FULL_LOOKS, both(4, 4));
        assertEquals(OptionalLong.of(8), need.vcores());
        looks(ServerNeed.CALM_LOOKS, new Use(4, 2.4), new Use(5, 1));
        assertEquals(OptionalLong.of(5), need.vcores());
    }

    /** 86 % of 2 vcores are 43 % of 4: it is not asked for again and again. */
    @Test
    void settles() {
        looks(ServerNeed.FULL_LOOKS, both(2, 1.72));
        assertEquals(OptionalLong.of(4), need.vcores());
        looks(ServerNeed.CALM_LOOKS, both(4, 1.72));
        assertEquals(OptionalLong.of(3), need.vcores());
        looks(20 * ServerNeed.CALM_LOOKS, both(3, 1.72));
        assertEquals(OptionalLong.of(3), need.vcores());
    }

    @Test
    void whatLiesBetweenChangesNothing() {
        looks(1, both(2, 2));
        need.pause();
        looks(1, both(2, 2));
        assertEquals(OptionalLong.empty(), need.vcores());
        looks(1, both(2, 2));
        assertEquals(OptionalLong.of(4), need.vcores());
        looks(ServerNeed.CALM_LOOKS - 1, both(4, 1));
        looks(1);
        looks(ServerNeed.CALM_LOOKS - 1, both(4, 1));
        assertEquals(OptionalLong.of(4), need.vcores());
        need.forget();
        assertEquals(OptionalLong.empty(), need.vcores());
    }
}
