// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import io.treadle.simulator.query.engine.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Requests that come at random, as many in any second as in any other on average. */
public final class PoissonRequests {
    private PoissonRequests() {}

    /**
     * @param workers one of them, all alike, is each request's ingress
     * @return the first comes at 0
     */
    public static List<Request> draw(Mix mix, double perSecond, int count, int workers, long seed) {
        Random random = new Random(seed);
        List<Request> requests = new ArrayList<>(count);
        double ms = 0;
        for (int i = 0; i < count; i++) {
            requests.add(new Request(String.valueOf(i), mix.draw(random), ms, random.nextInt(workers)));
            ms -= Math.log(1 - random.nextDouble()) * 1000 / perSecond;
        }
        return requests;
    }
}
