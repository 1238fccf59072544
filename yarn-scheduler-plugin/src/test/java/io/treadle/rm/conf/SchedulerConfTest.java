// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.treadle.core.budget.EnergyBudget;
import io.treadle.core.cluster.Crossing;
import io.treadle.core.policy.smd.SmdRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerConfTest {
    @Test
    void defaults() {
        assertEquals(
                new SchedulerConf(
                        Duration.ofMillis(200),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        5,
                        Duration.ofMinutes(1),
                        1,
                        1024,
                        0,
                        0,
                        new Crossing(0.2, 0.2),
                        BudgetSetting.NONE,
                        Duration.ofMinutes(15),
                        new PowerSettings(
                                Duration.ofMinutes(1),
                                Duration.ofMinutes(1),
                                30,
                                0,
                                new PowerOffSettings(Optional.empty(), Duration.ofMinutes(5), 1, Duration.ofMinutes(2)),
                                ""),
                        new ReservationSettings(Duration.ofSeconds(3), Duration.ofMinutes(30), 100),
                        SmdRules.DEFAULT,
                        new RefusalSettings(true, Duration.ofSeconds(45)),
                        "",
                        "",
                        "",
                        ""),
                SchedulerConf.from(new Configuration(false)));
    }

    @Test
    void everyValueSet() {
        Configuration conf = new Configuration(false);
        conf.set("yarn.scheduler.treadle.round.min-gap-ms", "20");
        conf.set("yarn.scheduler.treadle.round.max-age-ms", " 500 ");
        conf.set("yarn.scheduler.treadle.policy.timeout-ms", "700");
        conf.set("yarn.scheduler.treadle.policy.failures", "2");
        conf.set("yarn.scheduler.treadle.policy.retry-ms", "9000");
        conf.set("yarn.scheduler.treadle.node.spare-vcores", "0");
        conf.set("yarn.scheduler.treadle.node.spare-memory-mb", "2048");
        conf.set("yarn.scheduler.treadle.node.reserve-vcores", "4");
        conf.set("yarn.scheduler.treadle.shared-storage-mbps", "8000");
        conf.set("yarn.scheduler.treadle.crossing-penalty", "node=0.1,rack=0.3");
        conf.set("yarn.scheduler.treadle.power-budget-watts", "12kW");
        conf.set("yarn.scheduler.treadle.energy-budget", "500 kWh");
        conf.set("yarn.scheduler.treadle.power.carbon-file", "/etc/grid.csv");
        conf.set("yarn.scheduler.treadle.power.off.command", "/bin/true");
        conf.set("yarn.scheduler.treadle.power.off.idle-seconds", "60");
        conf.set("yarn.scheduler.treadle.power.off.spare-nodes", "0");
        conf.set("yarn.scheduler.treadle.power.off.wake-seconds", "30");
        conf.set("yarn.scheduler.treadle.profiling.max-seconds", "30");
        conf.set("yarn.scheduler.treadle.power.caps-lease-ms", "9000");
        conf.set("yarn.scheduler.treadle.power.make-way-seconds", "20");
        conf.set("yarn.scheduler.treadle.power.rescale-seconds", "5");
        conf.set("yarn.scheduler.treadle.power.seconds-per-kwh", "3600");
        conf.set("yarn.scheduler.treadle.reservation.after-ms", "700");
        conf.set("yarn.scheduler.treadle.reservation.max-seconds", "90");
        conf.set("yarn.scheduler.treadle.reservation.max-percent", "60");
        conf.set("yarn.scheduler.treadle.smd.epsilon", "0.1");
        conf.set("yarn.scheduler.treadle.smd.trim-delta", "0.2");
        conf.set("yarn.scheduler.treadle.smd.guess-size", "2");
        conf.set("yarn.scheduler.treadle.smd.steps", "5000");
        conf.set("yarn.scheduler.treadle.smd.capacity-factor", "0.8");
        conf.set("yarn.scheduler.treadle.smd.sticky", "0.3");
        conf.set("yarn.scheduler.treadle.smd.max-wait-seconds", "3600");
        conf.set("yarn.scheduler.treadle.smd.backfill", "false");
        conf.set("yarn.scheduler.treadle.smd.interval-ms", "10000");
        conf.set("yarn.scheduler.treadle.refuse-too-large", "false");
        conf.set("yarn.scheduler.treadle.refuse-too-large.settle-seconds", "7");
        conf.set("yarn.scheduler.treadle.record-dir", "/var/log/rounds");
        conf.set("yarn.resourcemanager.cluster-id", "cluster1");
        conf.set("hadoop.zk.address", "zk1:2181,zk2:2181");
        conf.set("yarn.treadle.zk-digest-file", "/etc/treadle/zk-digest");
        assertEquals(
                new SchedulerConf(
                        Duration.ofMillis(20),
                        Duration.ofMillis(500),
                        Duration.ofMillis(700),
                        2,
                        Duration.ofSeconds(9),
                        0,
                        2048,
                        4,
                        8000,
                        new Crossing(0.3, 0.1),
                        new BudgetSetting(
                                Optional.of(new PowerLimit(12_000, false)),
                                new EnergyBudget(EnergyBudget.Kind.TOTAL, 500, 0)),
                        Duration.ofSeconds(30),
                        new PowerSettings(
                                Duration.ofSeconds(9),
                                Duration.ofSeconds(20),
                                5,
                                1e-3,
                                new PowerOffSettings(
                                        Optional.of(Path.of("/bin/true")),
                                        Duration.ofSeconds(60),
                                        0,
                                        Duration.ofSeconds(30)),
                                "/etc/grid.csv"),
                        new ReservationSettings(Duration.ofMillis(700), Duration.ofSeconds(90), 60),
                        new SmdRules(0.1, 0.2, 2, 5000, 0.8, 0.3, 3600, false, 10_000),
                        new RefusalSettings(false, Duration.ofSeconds(7)),
                        "/var/log/rounds",
                        "cluster1",
                        "zk1:2181,zk2:2181",
                        "/etc/treadle/zk-digest"),
                SchedulerConf.from(conf));
    }

    @Test
    void commandThatCannotBeExecutedIsRefused() {
        Configuration conf = new Configuration(false);
        conf.set("yarn.scheduler.treadle.power.off.command", "switch-nodes");
        assertEquals(
                "yarn.scheduler.treadle.power.off.command is 'switch-nodes', must be the absolute path of a file that this"
                        + " user can execute",
                assertThrows(IllegalArgumentException.class, () -> SchedulerConf.from(conf))
                        .getMessage());
    }

    @Test
    void capsAreRenewedOftenEnough() {
        Configuration conf = new Configuration(false);
        conf.set("yarn.scheduler.treadle.round.max-age-ms", "30000");
        assertEquals(
                "yarn.scheduler.treadle.power.caps-lease-ms is '60000', must be at least three times"
                        + " yarn.scheduler.treadle.round.max-age-ms, which is '30000': caps are renewed once a round",
                assertThrows(IllegalArgumentException.class, () -> SchedulerConf.from(conf))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "yarn.scheduler.treadle.round.min-gap-ms, 0, from 1 to 60000",
        "yarn.scheduler.treadle.round.max-age-ms, 9, from 10 to 600000",
        "yarn.scheduler.treadle.policy.timeout-ms, 5s, from 10 to 600000",
        "yarn.scheduler.treadle.policy.failures, -1, from 1 to 1000",
        "yarn.scheduler.treadle.policy.retry-ms, 99999999999, from 100 to 86400000",
        "yarn.scheduler.treadle.node.spare-vcores, 1.5, from 0 to 1000",
        "yarn.scheduler.treadle.node.spare-memory-mb, 2G, from 0 to 100000000",
        "yarn.scheduler.treadle.node.reserve-vcores, 1001, from 0 to 1000",
        "yarn.scheduler.treadle.shared-storage-mbps, 8G, from 0 to 10000000",
        "yarn.scheduler.treadle.shared-storage-mbps, -1, from 0 to 10000000",
        "yarn.scheduler.treadle.shared-storage-mbps, NaN, from 0 to 10000000",
    })
    void refusesWithTheSettingItsValueAndWhatWouldBeRight(String key, String value, String right) {
        Configuration conf = new Configuration(false);
        conf.set(key, value);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> SchedulerConf.from(conf));
        assertEquals(key + " is '" + value + "', must be a whole number " + right, refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "epsilon, 0, a number from 0.001 to 1",
        "epsilon, NaN, a number from 0.001 to 1",
        "trim-delta, 1, a number from 0 to 0.99",
        "guess-size, 4, a whole number from 0 to 3",
        "steps, 0, a whole number from 1 to 999999999",
        "capacity-factor, 1.1, a number from 0.01 to 1",
        "sticky, -0.1, a number from 0 to 9",
        "max-wait-seconds, 6h, a whole number from 1 to 31536000",
        "backfill, yes, true or false",
        "interval-ms, 99, a whole number from 100 to 3600000",
    })
    void refusesWhatSmdCannotUse(String name, String value, String right) {
        String key = "yarn.scheduler.treadle.smd." + name;
        Configuration conf = new Configuration(false);
        conf.set(key, value);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> SchedulerConf.from(conf));
        assertEquals(key + " is '" + value + "', must be " + right, refused.getMessage());
    }

    @Test
    void whatIsEmptyIsNotSet() {
        Configuration conf = new Configuration(false);
        conf.set(SchedulerConf.CROSSING_PENALTY, " ");
        assertEquals(SchedulerConf.from(new Configuration(false)), SchedulerConf.from(conf));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "NaN", "101", "20%", "node=x", "rack=0.1,rack=0.2", "node=0.1 rack=0.2"})
    void refusesPenaltiesThatAreNone(String value) {
        Configuration conf = new Configuration(false);
        conf.set(SchedulerConf.CROSSING_PENALTY, value);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> SchedulerConf.from(conf));
        assertEquals(
                "yarn.scheduler.treadle.crossing-penalty is '" + value
                        + "', must be a number from 0 to 100 such as 0.2, or rack=0.2,node=0.05",
                refused.getMessage());
    }
}
