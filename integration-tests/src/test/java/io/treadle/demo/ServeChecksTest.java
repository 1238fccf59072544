// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.treadle.demo.serve.Answered;
import io.treadle.demo.serve.PolicyRun;
import io.treadle.demo.serve.ServeResult;
import io.treadle.demo.serve.ServeResults;
import io.treadle.demo.serve.ServeRun;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;

class ServeChecksTest {
    private static final ApplicationId SERVICE = ApplicationId.newInstance(7, 2);
    private static final ApplicationId TRAINING = ApplicationId.newInstance(7, 1);

    private static ServeChecks checks(ServeResult result, boolean trainedOn) {
        return ServeChecks.of(new ServeRun.Outcome(result, SERVICE, TRAINING, 1200, trainedOn));
    }

    private static PolicyRun run(String policy, double latencyMs, int status) {
        return new PolicyRun(
                policy, Collections.nCopies(20, new Answered(0, latencyMs, "parity", status, status == 200)));
    }

    private static ServeResult beside(PolicyRun... runs) {
        return new ServeResult(List.of(runs), 10, "");
    }

    @Test
    void failuresAndWrongAnswersAreNot() {
        ServeChecks checks = checks(ServeResults.two(), true);
        assertFalse(checks.good());
        assertEquals(
                List.of(
                        " NOT   hash: 100 of 101 queries answered",
                        " ok    hash: 100.0 % of the answers are right, at least 93 % must be",
                        " ok    compass: 100 of 100 queries answered",
                        " NOT   compass: 90.0 % of the answers are right, at least 93 % must be",
                        " ok    application_7_0001 trained all along, 1,200 samples while services were asked",
                        " ok    a query takes 3.00 times as long on average under hash as under compass"),
                checks.lines());
    }

    @Test
    void howPoliciesCompareIsToldButDoesNotCount() {
        ServeChecks checks = checks(beside(run("compass", 20, 200), run("hash", 10, 200)), true);
        assertTrue(checks.good(), checks::toString);
        assertTrue(
                checks.lines()
                        .contains(" NOT   a query takes 0.50 times as long on average under hash as under compass"),
                checks::toString);
    }

    @Test
    void aPolicyByItselfIsComparedToNothing() {
        ServeChecks checks = checks(beside(run("compass", 20, 200)), true);
        assertTrue(checks.good(), checks::toString);
        assertEquals(3, checks.lines().size());
    }

    @Test
    void noAnswersAtAllAndAJobThatStoppedAreNotGood() {
        assertFalse(checks(beside(run("compass", 20, 503)), true).good());
        assertFalse(checks(beside(run("compass", 20, 200)), false).good());
    }

    @Test
    void saysHowToAskTheServiceThatStays() {
        String text = String.join("\n", ServeDemo.asking(SERVICE, Path.of("/r/my image.json"), 4));
        assertTrue(text.contains("this one is a 4"), text);
        assertTrue(
                text.contains("./treadle query application_7_0002 recognise --input image=@'/r/my image.json'"), text);
    }
}
