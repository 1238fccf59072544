// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.telemetry;

import io.treadle.nm.device.DeviceReading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Energy of one device. Times in ms, energies in mJ. */
final class MeteredDevice {
    /** How long a sensor may say the same before it counts as stuck. */
    static final long STUCK_MS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(MeteredDevice.class);

    /** Draw above the highest limit by which a sensor or a counter is known to be wrong; peaks stay well below. */
    private static final double MOST_OVER_LIMIT = 3;

    private static final double MOST_WATTS_WITHOUT_LIMIT = 5_000;
    /** A counter is brought up to date some time after the draw. */
    private static final double LAG_MILLIJOULES = 1_000_000;

    private static final double LEAST_WATTS = 10;
    private static final long RANGE_OF_32_BITS = 1L << 32;

    private final String uuid;
    private double highestLimit;
    private boolean begun;
    private long lastMs;
    private double lastWatts;
    private double spent;

    private long lastCounter = DeviceReading.NO_COUNTER;
    private long movedMs;
    private double drawnSinceMoved;
    private boolean counterStuck;

    private double sameWatts;
    private long sameSinceMs;
    private double spentWhenSame;

    private String drawTrouble = "";
    private String counterTrouble = "";

    MeteredDevice(String uuid) {
        this.uuid = uuid;
    }

    long millijoules() {
        return Math.round(spent);
    }

    DeviceReading metered(DeviceReading reading, long nowMs) {
        highestLimit = Math.max(highestLimit, reading.capWatts());
        String wrong = wrongDraw(reading.watts());
        boolean hasDraw = wrong.isEmpty();
        // Without a counter that moves nothing shows that a draw is stuck.
        double drawn = hasDraw && lastWatts > 0 ? (lastWatts + reading.watts()) / 2 * Math.max(0, nowMs - lastMs) : 0;
        if (!begun) {
            begin(reading, nowMs);
        } else {
            spend(reading.energyMillijoules(), drawn, hasDraw, nowMs);
        }
        if (hasDraw) {
            wrong = stuckDraw(reading, nowMs);
        }
        if (hasDraw || reading.energyMillijoules() != DeviceReading.NO_COUNTER) {
            // A draw that is left out makes the next one count for both spans.
            lastMs = nowMs;
        }
        if (hasDraw) {
            lastWatts = reading.watts();
        }
        tellDraw(wrong);
        return reading.withEnergy(millijoules()).withWatts(wrong.isEmpty() ? reading.watts() : 0);
    }

    private void begin(DeviceReading reading, long nowMs) {
        begun = true;
        lastMs = nowMs;
        movedMs = nowMs;
        sameSinceMs = nowMs;
        lastCounter = reading.energyMillijoules();
        spent = Math.max(0, lastCounter);
        spentWhenSame = spent;
        sameWatts = reading.watts();
    }

    private void spend(long counter, double drawn, boolean hasDraw, long nowMs) {
        if (counter == DeviceReading.NO_COUNTER) {
            spent += drawn;
            if (lastCounter != DeviceReading.NO_COUNTER) {
                tellCounter("is not there any more");
            }
            // When it is there again, what it has counted meanwhile is in the draws already.
            lastCounter = DeviceReading.NO_COUNTER;
            return;
        }
        boolean movesAgain = counterStuck && counter != lastCounter;
        if (lastCounter == DeviceReading.NO_COUNTER || movesAgain) {
            spent += drawn;
            moved(counter, nowMs);
            return;
        }
        if (counter == lastCounter) {
            standing(drawn, nowMs);
            return;
        }
        double span = counter - lastCounter;
        if (counter < lastCounter && lastCounter < RANGE_OF_32_BITS) {
            span = counter + (double) RANGE_OF_32_BITS - lastCounter;
        }
        long sinceMs = nowMs - Math.min(movedMs, lastMs);
        // Where the clock was set back nothing tells how much is too much.
        boolean plausible =
                sinceMs > 0 ? span > 0 && span <= mostWatts() * sinceMs + LAG_MILLIJOULES : counter > lastCounter;
        if (!plausible) {
            String what = counter < lastCounter ? "has gone back" : "has jumped";
            tellCounter(what + " from " + lastCounter + " to " + counter + " mJ");
        }
        spent += plausible ? span : hasDraw ? drawn + drawnSinceMoved : 0;
        lastCounter = counter;
        movedMs = nowMs;
        drawnSinceMoved = 0;
        if (plausible) {
            tellCounter("");
        }
    }

    private void moved(long counter, long nowMs) {
        lastCounter = counter;
        movedMs = nowMs;
        drawnSinceMoved = 0;
        counterStuck = false;
        tellCounter("");
    }

    private void standing(double drawn, long nowMs) {
        if (counterStuck) {
            spent += drawn;
            return;
        }
        drawnSinceMoved += drawn;
        long standsMs = nowMs - movedMs;
        if (standsMs >= STUCK_MS && drawnSinceMoved >= LEAST_WATTS * standsMs) {
            counterStuck = true;
            spent += drawnSinceMoved;
            drawnSinceMoved = 0;
            tellCounter("stands at " + lastCounter + " mJ");
        }
    }

    private double mostWatts() {
        return highestLimit > 0 ? highestLimit * MOST_OVER_LIMIT : MOST_WATTS_WITHOUT_LIMIT;
    }

    /** Empty where the draw can be right. A GPU that is there always draws something. */
    private String wrongDraw(double watts) {
        if (!(watts > 0)) {
            return "is not there";
        }
        return watts <= mostWatts() ? "" : "cannot be right: " + watts + " W at a limit of " + highestLimit + " W";
    }

    private String stuckDraw(DeviceReading reading, long nowMs) {
        if (reading.watts() != sameWatts || reading.energyMillijoules() == DeviceReading.NO_COUNTER || counterStuck) {
            sameWatts = reading.watts();
            sameSinceMs = nowMs;
            spentWhenSame = spent;
            return "";
        }
        long same = nowMs - sameSinceMs;
        double counted = same > 0 ? (spent - spentWhenSame) / same : sameWatts;
        boolean stuck = same >= STUCK_MS && Math.abs(counted - sameWatts) > Math.max(2 * LEAST_WATTS, sameWatts / 2);
        return stuck ? "stands at " + sameWatts + " W, the energy counter says otherwise" : "";
    }

    private void tellDraw(String trouble) {
        // Figures change with each reading; the kind of trouble is what is said once.
        String kind = trouble.replaceAll("[0-9.]+", "#");
        if (!kind.equals(drawTrouble)) {
            if (!trouble.isEmpty()) {
                LOG.warn("power sensor of {} {}; its readings are left out", uuid, trouble);
            } else {
                LOG.info("power sensor of {} is right again", uuid);
            }
            drawTrouble = kind;
        }
    }

    private void tellCounter(String trouble) {
        String kind = trouble.replaceAll("[0-9.]+", "#");
        if (!kind.equals(counterTrouble)) {
            if (!trouble.isEmpty()) {
                LOG.warn("energy counter of {} {}; draw is added up instead", uuid, trouble);
            }
            counterTrouble = kind;
        }
    }
}
