// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.generate;

import io.treadle.simulator.generate.ClusterProfile.UserCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Gives jobs to users so that the published part of the GPU time is with the top users, and users to queues so that
 * each queue is loaded about as its size. The jobs with the most GPU time choose first, each with a chance in proportion
 * to what a user has still to get.
 */
final class Users {
    /** How often to draw before the user with most room is taken. */
    private static final int TRIES = 24;

    private final double[] shares;
    private final List<String> queues;
    /** GPUs of the queue of each user. */
    private final long[] room;

    /** @param queues GPUs of each queue; empty for none */
    Users(UserCurve curve, Map<String, Long> queues, SplittableRandom random) {
        this.shares = Lorenz.shares(curve);
        this.room = new long[shares.length];
        this.queues = assign(queues, random);
    }

    private List<String> assign(Map<String, Long> sizes, SplittableRandom random) {
        List<String> names = List.copyOf(sizes.keySet());
        double all = sizes.values().stream().mapToLong(size -> size).sum();
        double[] dues = names.stream()
                .mapToDouble(name -> sizes.getOrDefault(name, 0L) / all)
                .toArray();
        List<String> assigned = new ArrayList<>();
        WeightedPick left = new WeightedPick(dues);
        for (int user = 0; user < shares.length; user++) {
            if (names.isEmpty()) {
                assigned.add("");
                room[user] = Long.MAX_VALUE;
                continue;
            }
            int queue = left.pick(random);
            for (int i = 0; i < TRIES && left.weight(queue) < shares[user]; i++) {
                queue = left.pick(random);
            }
            if (left.weight(queue) < shares[user]) {
                for (int other = 0; other < dues.length; other++) {
                    queue = left.weight(other) > left.weight(queue) ? other : queue;
                }
            }
            left.set(queue, left.weight(queue) - shares[user]);
            assigned.add(names.get(queue));
            room[user] = sizes.getOrDefault(names.get(queue), 0L);
        }
        return List.copyOf(assigned);
    }

    /** Of each user; empty text where there are none. */
    List<String> queues() {
        return queues;
    }

    /**
     * @param byGpuTime jobs, those with the most GPU time first
     * @return the user of each job
     */
    int[] assign(int[] byGpuTime, int[] duration, int[] gpus, SplittableRandom random) {
        double all = 0;
        for (int job : byGpuTime) {
            all += (double) duration[job] * gpus[job];
        }
        double[] dues = shares.clone();
        for (int user = 0; user < dues.length; user++) {
            dues[user] *= all;
        }
        WeightedPick left = new WeightedPick(dues);
        int[] users = new int[byGpuTime.length];
        for (int job : byGpuTime) {
            double work = (double) duration[job] * gpus[job];
            int user = left.pick(random);
            for (int i = 0; i < TRIES && (left.weight(user) < work || room[user] < gpus[job]); i++) {
                user = left.pick(random);
            }
            if (left.weight(user) < work || room[user] < gpus[job]) {
                user = roomiest(left, gpus[job]);
            }
            left.set(user, left.weight(user) - work);
            users[job] = user;
        }
        return users;
    }

    /** Who has still most to get, of those whose queue is large enough. */
    private int roomiest(WeightedPick left, int gpus) {
        int best = -1;
        for (int user = 0; user < shares.length; user++) {
            if (room[user] >= gpus && (best < 0 || left.weight(user) > left.weight(best))) {
                best = user;
            }
        }
        return Math.max(best, 0);
    }
}
