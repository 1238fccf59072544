// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.yarn.LostContainer;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the runners of an earlier ApplicationMaster, and those that are heard of no more. A runner that falls silent is its
 * node's trouble, not the job's; containers that do not come up may be either's, so what happens to a whole gang on one bad
 * node is one failure. Guarded by the job.
 */
final class RunnerWatch {
    private static final double ANNOUNCE_SECONDS = 2;
    /** Time between two looks after which this process itself has stood still, and runners could not be heard. */
    private static final double STANDSTILL_SECONDS = 5;

    private final RunnerGateway runners;
    private final JobClock clock;
    private final MasterSettings settings;
    private double announcedSeconds = Double.NEGATIVE_INFINITY;
    private double lookedSeconds = Double.NaN;
    private double listeningSinceSeconds = Double.NEGATIVE_INFINITY;
    private double blamedSeconds = Double.NEGATIVE_INFINITY;

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
        double now = clock.seconds();
        if (now - lookedSeconds > STANDSTILL_SECONDS) {
            listeningSinceSeconds = now;
        }
        lookedSeconds = now;
        List<LostContainer> silent = new ArrayList<>();
        for (Member member : members) {
            // It has been heard by an earlier ApplicationMaster, if not by this one.
            boolean wasThere = member.registered || member.runnerPort > 0;
            double patience = wasThere ? settings.silenceSeconds() : settings.registerSeconds();
            if (!member.gone && now - Math.max(member.lastCallSeconds, listeningSinceSeconds) > patience) {
                String what = wasThere ? "its runner has been silent for " : "its runner did not register in ";
                silent.add(new LostContainer(
                        member.id(),
                        LostContainer.UNKNOWN_STATUS,
                        wasThere || !mayBlame(),
                        what + Math.round(patience) + " s"));
            }
        }
        return silent;
    }

    /** Whether a container that did not come up counts against the job: of those that were launched together, one. */
    boolean mayBlame() {
        boolean may = clock.seconds() - blamedSeconds >= settings.registerSeconds();
        if (may) {
            blamedSeconds = clock.seconds();
        }
        return may;
    }
}
