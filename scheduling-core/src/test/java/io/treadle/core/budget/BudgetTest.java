// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.cluster.PowerView;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
    private static final PowerView NODES = PowerView.unlimited(450, 55, 400);
    private static final double PEAK = 10_000;
    private static final double IDLE = 1000;

    private static BudgetKeeper keeper(String budget) {
        return new BudgetKeeper(EnergyBudget.parse(budget), PEAK, IDLE, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "share:0.7,7000",
        "share:1,10000",
        "watts:8000,8000",
        "watts:90000,10000",
        "watts:1,2500",
        "share:0.1,2500"
    })
    void limits(String budget, double watts) {
        assertEquals(watts, keeper(budget).at(0, 0, NODES).limitWatts(), 1e-9);
    }

    /** Nodes that draw a third of their peak by themselves leave jobs a tenth of the rest at least. */
    @Test
    void jobsCanStartUnderTheLeastBudget() {
        BudgetKeeper keeper = new BudgetKeeper(EnergyBudget.parse("watts:1"), PEAK, 3000, Optional.empty());
        assertEquals(3700, keeper.at(0, 0, NODES).limitWatts(), 1e-9);
        assertEquals(3700, keeper.floorWatts(), 1e-9);
    }

    @Test
    void noneAndPrice() {
        assertEquals(NODES, keeper("none").at(0, 0, NODES));
        assertEquals(1e-4, keeper("price:360").at(0, 0, NODES).secondsPerJoule(), 1e-12);
    }

    @Test
    void totalIsWhatIsLeft() {
        assertEquals(1.8e6, keeper("total:1").at(0, 1.8e6, NODES).joulesLeft(), 1e-6);
        assertEquals(0, keeper("total:1").at(0, 9e6, NODES).joulesLeft(), 1e-6);
    }

    /** Whatever was drawn before, a window's energy is kept to by whoever draws no more than the limit. */
    @Test
    void aWindowIsKeptTo() {
        BudgetKeeper keeper = keeper("window:120/24h");
        double used = 0;
        for (long minute = 0; minute < 2 * 24 * 60; minute++) {
            double limit = keeper.at(minute * 60_000, used, NODES).limitWatts();
            assertTrue(limit >= 2500 && limit <= PEAK, "minute " + minute + ": " + limit);
            // Nothing at night, all that is allowed by day.
            used += minute % (24 * 60) < 8 * 60 ? 0 : 60 * limit;
            if (minute == 24 * 60 - 1) {
                assertEquals(120 * 3.6e6, used, 0.02 * 120 * 3.6e6);
            }
        }
        assertEquals(240 * 3.6e6, used, 0.02 * 240 * 3.6e6);
    }

    /** Nobody asks between 23:00 and 10:00, while idle nodes draw; each window has its own energy all the same. */
    @Test
    void whatIsDrawnUnseenCountsWhereItWasDrawn() {
        BudgetKeeper keeper = keeper("window:120/24h");
        double used = 0;
        double[] ofDay = new double[3];
        for (int minute = 0; minute < 3 * 24 * 60; minute++) {
            boolean isSeen = minute % (24 * 60) >= 10 * 60 && minute % (24 * 60) < 23 * 60;
            double watts = isSeen ? keeper.at(minute * 60_000L, used, NODES).limitWatts() : 2000;
            used += 60 * watts;
            ofDay[minute / (24 * 60)] += 60 * watts;
        }
        for (double joules : ofDay) {
            assertTrue(joules <= 1.02 * 120 * 3.6e6 && joules >= 0.9 * 120 * 3.6e6, joules + " J");
        }
    }

    @Test
    void carbonFollowsTheGrid() {
        CarbonIntensity grid = new CarbonIntensity(Map.of(0L, 500.0, 3_600_000L, 1000.0));
        BudgetKeeper keeper = new BudgetKeeper(EnergyBudget.parse("carbon:4000"), PEAK, IDLE, Optional.of(grid));
        assertEquals(8000, keeper.at(-5, 0, NODES).limitWatts(), 1e-9);
        assertEquals(8000, keeper.at(3_599_999, 0, NODES).limitWatts(), 1e-9);
        assertEquals(4000, keeper.at(9_999_999, 0, NODES).limitWatts(), 1e-9);
        assertThrows(IllegalArgumentException.class, () -> keeper("carbon:4000"));
        assertThrows(IllegalArgumentException.class, () -> new CarbonIntensity(Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new CarbonIntensity(Map.of(0L, Double.NaN)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "share",
                "share:",
                "share:1.1",
                "share:0",
                "share:x",
                "watts:-5",
                "watts:1e400",
                "window:20",
                "window:20/0h",
                "window:20/9999h",
                "total:5/3h",
                "none:3",
                "speed:5",
                "price:-1",
                "watts:1..2"
            })
    void whatIsNoBudgetIsNamedWithWhatIs(String text) {
        String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> EnergyBudget.parse(text))
                .getMessage());
        assertTrue(message.contains("'" + text + "'") && message.contains("share:0.7"), message);
    }

    @ParameterizedTest
    @CsvSource({
        "70 %,share:0.7,70 % of the peak",
        "12000,,",
        "12 kW,watts:12000,12000 W",
        "500 kWh/day,window:500/24h,500 kWh in each day",
        "500kWh/24h,window:500/24h,500 kWh in each day",
        "1.5 MWh/week,window:1500/168h,1500 kWh in each week",
        "20 kWh/6 hours,window:20/6h,20 kWh in each 6 hours",
        "500 kwh,total:500,500 kWh in all",
        "8 kg/h,carbon:8000,8000 g of CO2 an hour",
        "600 s/kWh,price:600,600 s of completion time for a kWh"
    })
    void unitsSayTheKind(String spoken, String text, @Nullable String words) {
        if (words == null) {
            assertThrows(IllegalArgumentException.class, () -> EnergyBudget.parse(spoken), "watts or kWh?");
        } else {
            EnergyBudget budget = EnergyBudget.parse(spoken);
            assertEquals(text, budget.text());
            assertEquals(budget, EnergyBudget.parse(text));
            assertEquals(words, budget.words());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"500 kWh/0h", "500 kWh/fortnight", "0 kWh", "101 %", "5 furlongs", "8 g/day"})
    void unitsThatMeanNothingAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> EnergyBudget.parse(text));
    }

    /** 24 kWh in a day: 6 kWh used until 12:00 leave 18 for 12 hours, whoever has kept the budget until then. */
    @Test
    void anotherKeeperGoesOn() {
        long noon = 12 * 3_600_000;
        BudgetKeeper keeper = keeper("window:24/24h");
        keeper.changeNodes(PEAK, 0, Optional.empty());
        keeper.resume(noon - 60_000, 7, 6 * 3.6e6);
        assertEquals(1500, keeper.at(noon, 7, NODES).limitWatts(), 1e-6);
        assertEquals(6 * 3.6e6, keeper.joulesOf(7), 1e-6);
        assertEquals(2 * noon, keeper.windowEndMs(noon).orElseThrow());
        assertEquals(1000, keeper.at(2 * noon + 100 * 60_000, 7, NODES).limitWatts(), 80, "the next day is a new one");
        assertEquals(0, keeper.joulesOf(7), 1e-6);
    }

    @Test
    void whatWasUsedOfATotalStays() {
        BudgetKeeper keeper = keeper("total:2");
        keeper.resume(0, 0, 1.5 * 3.6e6);
        assertEquals(0.3 * 3.6e6, keeper.at(5, 0.2 * 3.6e6, NODES).joulesLeft(), 1e-6);
    }

    @Test
    void emptyIsNone() {
        assertEquals(EnergyBudget.NONE, EnergyBudget.parse(""));
        assertEquals(new EnergyBudget(EnergyBudget.Kind.WINDOW, 240, 24), EnergyBudget.parse("window:240/24h"));
    }
}
