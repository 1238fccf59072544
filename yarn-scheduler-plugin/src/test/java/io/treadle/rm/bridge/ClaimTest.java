// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How queues share one resource. */
class ClaimTest {
    private static Claim claim(long guarantee, long wanted) {
        return new Claim(guarantee, guarantee, wanted);
    }

    @Test
    void whatOthersDoNotWantMayBeBorrowed() {
        assertEquals(100, Claim.part(100, List.of(claim(50, 100), claim(50, 0)), 0));
        assertEquals(80, Claim.part(100, List.of(claim(50, 100), claim(50, 20)), 0));
    }

    @Test
    void aGuaranteeThatIsAskedForIsGivenBack() {
        assertEquals(50, Claim.part(100, List.of(claim(50, 100), claim(50, 60)), 0));
    }

    @Test
    void theMaximumHolds() {
        assertEquals(75, Claim.part(100, List.of(claim(50, 75), claim(50, 0)), 0));
    }

    @Test
    void twoThatBorrowTheSameRoomShareItByTheirGuarantees() {
        List<Claim> claims = List.of(claim(30, 100), claim(10, 100), claim(60, 20));
        assertEquals(60, Claim.part(100, claims, 0));
        assertEquals(20, Claim.part(100, claims, 1));
    }

    @Test
    void whatOneDoesNotWantOfItsPartGoesToTheOther() {
        assertEquals(65, Claim.part(100, List.of(claim(30, 100), claim(30, 35), claim(40, 0)), 0));
    }

    @Test
    void whatOthersKeepBeyondTheirGuaranteesTakesNobodysGuarantee() {
        List<Claim> claims = List.of(claim(50, 100), new Claim(50, 80, 80));
        assertEquals(50, Claim.part(100, claims, 0));
        assertEquals(80, Claim.part(100, claims, 1));
    }

    /** Together they never have more than there is, and each has what it is guaranteed and wants. */
    @Test
    void nothingIsOvercommitted() {
        Random random = new Random(1);
        for (int round = 0; round < 1000; round++) {
            int queues = 1 + random.nextInt(5);
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < queues; i++) {
                claims.add(claim(random.nextInt(100 / queues + 1), random.nextInt(120)));
            }
            long sum = IntStream.range(0, queues)
                    .mapToLong(i -> Claim.part(100, claims, i))
                    .sum();
            assertTrue(sum <= 100, claims::toString);
            for (int i = 0; i < queues; i++) {
                Claim claim = claims.get(i);
                long part = Claim.part(100, claims, i);
                assertTrue(part >= Math.min(claim.guarantee(), claim.wanted()), claims::toString);
                assertTrue(part <= claim.wanted(), claims::toString);
            }
        }
    }
}
