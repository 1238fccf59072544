// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.TopUsers;
import io.treadle.simulator.generate.ClusterProfile.UserCurve;
import java.util.Arrays;

/** Which part of the GPU time the top users hold; straight between the published points. */
final class Lorenz {
    private Lorenz() {}

    /** Share of each user, falling. */
    static double[] shares(UserCurve curve) {
        double[] shares = new double[curve.count()];
        double before = 0;
        for (int user = 0; user < shares.length; user++) {
            double now = held(curve, (user + 1.0) / shares.length * 100);
            shares[user] = (now - before) / 100;
            before = now;
        }
        return shares;
    }

    private static double held(UserCurve curve, double percent) {
        double fromUsers = 0;
        double fromTime = 0;
        for (TopUsers top : curve.top()) {
            if (percent <= top.percent()) {
                return between(fromUsers, fromTime, top.percent(), top.gpuTimePercent(), percent);
            }
            fromUsers = top.percent();
            fromTime = top.gpuTimePercent();
        }
        return between(fromUsers, fromTime, 100, 100, percent);
    }

    private static double between(double fromUsers, double fromTime, double users, double time, double at) {
        return fromTime + (time - fromTime) * (at - fromUsers) / (users - fromUsers);
    }

    /**
     * What the top users hold, percent.
     *
     * @param gpuSeconds of each user
     * @param topPercent of the users; a part of a user counts in part
     */
    static double heldByTop(double[] gpuSeconds, double topPercent) {
        double[] rising = gpuSeconds.clone();
        Arrays.sort(rising);
        double all = Arrays.stream(rising).sum();
        double users = topPercent / 100 * rising.length;
        double held = 0;
        for (int i = 0; i < rising.length && i < users; i++) {
            held += rising[rising.length - 1 - i] * Math.min(1, users - i);
        }
        return held / all * 100;
    }
}
