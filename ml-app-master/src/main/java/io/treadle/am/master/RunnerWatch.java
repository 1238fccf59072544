// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import java.util.ArrayList;
import java.util.List;

/** Finds the runners of an earlier ApplicationMaster, and those that are heard of no more. Guarded by the job. */
final class RunnerWatch {
    private static final double ANNOUNCE_SECONDS = 2;

    private final RunnerGateway runners;
    private final JobClock clock;
    private final MasterSettings settings;
    private double announcedSeconds = Double.NEGATIVE_INFINITY;

    RunnerWatch(RunnerGateway runners, JobClock clock, MasterSettings settings) {
        this.runners = runners;
        this.clock = clock;
        this.settings = settings;
    }

    void announce(List<Member> members) {
        if (clock.seconds() - announcedSeconds < ANNOUNCE_SECONDS) {
            return;
        }
        announcedSeconds = clock.seconds();
        for (Member member : members) {
            if (!member.registered && member.runnerPort > 0) {
                runners.announce(member.runnerHost, member.runnerPort);
            }
        }
    }

    /** Containers that count as lost because nothing is heard from them. */
    List<LostContainer> silent(List<Member> members) {
        List<LostContainer> silent = new ArrayList<>();
        for (Member member : members) {
            double patience = member.registered ? settings.silenceSeconds() : settings.registerSeconds();
            if (!member.gone && clock.seconds() - member.lastCallSeconds > patience) {
                String what = member.registered ? "its runner has been silent for " : "its runner did not register in ";
                silent.add(new LostContainer(member.id(), 1, false, what + Math.round(patience) + " s"));
            }
        }
        return silent;
    }
}
