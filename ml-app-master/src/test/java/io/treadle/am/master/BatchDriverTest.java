// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.am.profile.BatchAnswer;
import io.treadle.am.yarn.GrantedContainer;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BatchDriverTest {
    private long wallMs = 1000;
    private final JobClock clock = new JobClock() {
        @Override
        public long wallMs() {
            return wallMs;
        }

        @Override
        public double seconds() {
            return wallMs / 1e3;
        }
    };
    private final BatchDriver driver = new BatchDriver(clock, new CommandNumbers(clock), 30);
    private final List<Member> members = List.of(member("c1"), member("c2"));

    private static Member member(String id) {
        Member member = new Member(new GrantedContainer(id, "host", "host:8042", 1, 4, 1024, 0), 0);
        member.batch(64, 1);
        return member;
    }

    private BatchAnswer drive(long wanted, boolean otherCommand) {
        wallMs += 250;
        driver.drive(OptionalLong.of(wanted), members, 1, otherCommand);
        return driver.answer();
    }

    private WorkerCommand command() {
        return driver.command().orElseThrow();
    }

    private void obey() {
        for (Member member : members) {
            member.answeredCommand = command().epoch();
            member.batch(command().batchSize() == 0 ? 64 : command().batchSize(), 2);
        }
    }

    @Test
    void allHaveToTrainWithIt() {
        assertEquals(BatchAnswer.OBEYED, drive(0, false), "they never did anything else");
        assertEquals(Optional.empty(), driver.command());
        assertEquals(BatchAnswer.AWAITED, drive(32, false));
        assertEquals(32, command().batchSize());
        members.get(0).answeredCommand = command().epoch();
        members.get(0).batch(32, 2);
        assertEquals(BatchAnswer.AWAITED, drive(32, false));
        members.get(1).answeredCommand = command().epoch();
        assertEquals(BatchAnswer.AWAITED, drive(32, false), "to some workers every command is one for a checkpoint");
        obey();
        assertEquals(BatchAnswer.OBEYED, drive(32, false));
        assertEquals(64, members.get(0).ownBatchSize, "the profile keeps its name");
        assertTrue(members.get(0).triesBatch);
        assertEquals(BatchAnswer.AWAITED, drive(0, false));
        obey();
        assertEquals(BatchAnswer.OBEYED, drive(0, false));
        assertFalse(members.get(0).triesBatch);
    }

    @Test
    void whoDoesNotAnswerIsWaitedForUntilTheDeadline() {
        drive(32, false);
        wallMs = command().deadlineMs() - 251;
        assertEquals(BatchAnswer.AWAITED, drive(32, false));
        assertEquals(BatchAnswer.IGNORED, drive(32, false));
        members.get(1).batch(64, 0);
        assertEquals(BatchAnswer.IGNORED, drive(16, false), "who does not say its passes is not asked");
        assertEquals(Optional.empty(), driver.command());
    }

    @Test
    void oneThatCannotIsEnoughToRefuse() {
        drive(32, false);
        obey();
        members.get(1).refused = "out of memory";
        assertEquals(BatchAnswer.REFUSED, drive(32, false));
        assertEquals(BatchAnswer.AWAITED, drive(16, false), "an old answer is none to a new command");
    }

    @Test
    void otherCommandsGoFirstAndWhatTheyHaveHiddenIsAskedAgain() {
        assertEquals(BatchAnswer.AWAITED, drive(32, true));
        assertEquals(Optional.empty(), driver.command());
        drive(32, false);
        long first = command().epoch();
        drive(32, true);
        members.forEach(member -> member.answeredCommand = first + 100);
        assertEquals(BatchAnswer.AWAITED, drive(32, false));
        assertTrue(command().epoch() > first + 100);
        obey();
        assertEquals(BatchAnswer.OBEYED, drive(32, false));
        long given = command().epoch();
        drive(32, true);
        assertEquals(BatchAnswer.OBEYED, drive(32, false), "all had answered before");
        assertEquals(given, command().epoch());
    }

    @Test
    void eachStartBeginsWithTheWorkersOwn() {
        drive(32, false);
        obey();
        drive(32, false);
        driver.drive(OptionalLong.empty(), members, 2, false);
        assertEquals(Optional.empty(), driver.command());
        driver.drive(OptionalLong.of(0), members, 2, false);
        assertEquals(BatchAnswer.OBEYED, driver.answer());
        assertEquals(Optional.empty(), driver.command());
    }

    @Test
    void theNextApplicationMasterAsksForTheOwn() {
        driver.restored();
        assertEquals(BatchAnswer.AWAITED, drive(0, false));
        assertEquals(0, command().batchSize());
    }

    /** As of an ApplicationMaster on a host whose clock was ahead. */
    @Test
    void commandsHaveLargerNumbersThanThoseOfAnEarlierApplicationMaster() {
        members.get(0).answeredCommand = wallMs + 60_000;
        members.get(1).answeredCommand = Long.MAX_VALUE;
        drive(32, false);
        assertEquals(wallMs - 250 + 60_001, driver.command().orElseThrow().epoch());
        assertEquals(BatchAnswer.AWAITED, driver.answer());
        drive(16, false);
        assertEquals(wallMs - 500 + 60_002, driver.command().orElseThrow().epoch());
    }

    /** Its workers have said nothing yet. */
    @Test
    void numbersGoOnWhereAnEarlierApplicationMasterWas() {
        CommandNumbers numbers = new CommandNumbers(clock);
        numbers.restore(wallMs + 60_000);
        assertFalse(numbers.takeNews());
        assertEquals(wallMs + 60_001, numbers.next(members));
        assertTrue(numbers.takeNews());
        assertFalse(numbers.takeNews());
        numbers.restore(Long.MAX_VALUE);
        assertEquals(wallMs, numbers.next(members), "nobody can have given that");
    }
}
