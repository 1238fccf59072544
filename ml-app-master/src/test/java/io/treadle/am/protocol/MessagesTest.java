// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.core.wire.DataReport;
import io.treadle.core.wire.EnergyFile;
import io.treadle.core.wire.MemoryLimit;
import io.treadle.core.wire.ResourcesFile;
import io.treadle.core.wire.WireFormatException;
import io.treadle.core.wire.WorkerCommand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final ResourcesFile SIZES = new ResourcesFile(
            3,
            4,
            List.of(0, 1),
            1024,
            0,
            250,
            100,
            List.of(new ResourcesFile.Device("GPU-1", 81920, ResourcesFile.DeviceState.READY)));

    @Test
    void messagesComeBackAsTheyWere() {
        RegisterMessage register = new RegisterMessage("c1", "n1", 4000);
        assertEquals(register, RegisterMessage.fromJson(register.toJson()));
        ReportMessage report = new ReportMessage(
                "c1",
                ReportMessage.State.RUNNING,
                2,
                4001,
                48,
                3,
                16,
                2,
                0.5,
                12.25,
                96.5,
                0.25,
                321,
                Optional.of(SIZES),
                true,
                "ck-3",
                9,
                "out of memory",
                Optional.of(new DataReport(100, 10, 50, 20, OptionalDouble.of(0.5), 1.5, 2000.25, 130, 17)),
                Optional.of(new ReportMessage.Energy(new EnergyFile(7, 1_000, 2, 250, 100, 400), 0.75)),
                Map.of("malformed", 2L),
                List.of(new ReportMessage.Reading(40, 1.25), new ReportMessage.Reading(44, 0.75)));
        assertEquals(report, ReportMessage.fromJson(report.toJson()));
        FinishedMessage finished = new FinishedMessage("c1", 2, 137, 12.5, true, 48, true, List.of("a", "b \"c\""));
        assertEquals(finished, FinishedMessage.fromJson(finished.toJson()));
        Directive directive = Directive.run(
                        2,
                        new Assignment(
                                1,
                                4,
                                "worker",
                                1,
                                4,
                                "n1",
                                4001,
                                1,
                                3,
                                "app",
                                "echo 'a b'\n",
                                "/ck",
                                Map.of("A", "1"),
                                Map.of("worker", List.of("h1:1", "h2:2"), "ps", List.of("h3:3")),
                                640))
                .withCommand(Optional.of(new WorkerCommand(9, WorkerCommand.Command.STOP, 5)))
                .withMemory(Optional.of(new MemoryLimit(17, 4096)))
                .withSizes(Optional.of(SIZES));
        assertEquals(directive, Directive.fromJson(directive.toJson()));
        assertEquals(Directive.exit(0), Directive.fromJson(Directive.exit(0).toJson()));
    }

    @Test
    void complaintsNameTheField() {
        for (String field : List.of("containerId", "epoch", "samples", "state")) {
            String broken = new ReportMessage(
                            "c1",
                            ReportMessage.State.RUNNING,
                            2,
                            1,
                            4,
                            3,
                            1,
                            1,
                            0,
                            1,
                            2,
                            1,
                            0,
                            Optional.empty(),
                            true,
                            "",
                            0,
                            "",
                            Optional.empty(),
                            Optional.empty(),
                            Map.of(),
                            List.of())
                    .toJson()
                    .replace("\"" + field + "\"", "\"x\"");
            WireFormatException e = assertThrows(WireFormatException.class, () -> ReportMessage.fromJson(broken));
            assertTrue(String.valueOf(e.getMessage()).contains("'" + field + "'"), e.getMessage());
        }
    }

    /** Sums and averages over workers would be neither right nor JSON. */
    @Test
    void figuresThatNobodyCouldHaveAreRefused() {
        String good = new FinishedMessage("c1", 2, 137, 12.5, true, 48, true, List.of()).toJson();
        for (String bad : List.of("-2", "9223372036854775807", "1000000000000001", "4.5", "\"48\"", "null")) {
            String text = good.replace("\"samples\":48", "\"samples\":" + bad);
            WireFormatException e = assertThrows(WireFormatException.class, () -> FinishedMessage.fromJson(text));
            assertTrue(String.valueOf(e.getMessage()).startsWith("field 'samples' is " + bad), e.getMessage());
        }
        String endless = good.replace("12.5", "1e999");
        WireFormatException e = assertThrows(WireFormatException.class, () -> FinishedMessage.fromJson(endless));
        assertTrue(String.valueOf(e.getMessage()).contains("must be a finite number"), e.getMessage());
    }
}
