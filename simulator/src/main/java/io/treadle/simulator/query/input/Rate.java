// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.query.input;

import io.treadle.simulator.input.InputException;
import io.treadle.simulator.query.engine.Request;
import java.util.List;

/** How many requests come in a second. */
public final class Rate {
    private Rate() {}

    /** On average between the first and the last; infinite where all come at once. */
    public static double perSecond(List<Request> requests) {
        double span =
                requests.get(requests.size() - 1).arrivalMs() - requests.get(0).arrivalMs();
        return (requests.size() - 1) * 1000.0 / span;
    }

    /**
     * Moves requests together or apart in time.
     *
     * @param perSecond so many come in a second on average from then on
     * @throws InputException if all come at the same moment
     */
    public static List<Request> scale(List<Request> requests, double perSecond) {
        double now = perSecond(requests);
        if (!(now > 0 && Double.isFinite(now))) {
            throw new InputException("--rate is '" + perSecond
                    + "', but all requests come at the same moment: their arrivals cannot be moved apart.");
        }
        return requests.stream()
                .map(each -> new Request(each.id(), each.graph(), each.arrivalMs() * now / perSecond, each.ingress()))
                .toList();
    }
}
