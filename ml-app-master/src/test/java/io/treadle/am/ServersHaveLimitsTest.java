// SPDX-License-Identifier: Apache-2.0
package io.treadle.am;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.sun.net.httpserver.HttpServer;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.treadle.am.protocol.HttpLimits;
import java.net.InetSocketAddress;

/** The JDK reads the limits of all servers of a process when it makes the first: also a test's own decides for those after it. */
@AnalyzeClasses(packages = "io.treadle.am")
class ServersHaveLimitsTest {
    @ArchTest
    static final ArchRule ONE_CLASS_MAKES_SERVERS = noClasses()
            .that()
            .doNotBelongToAnyOf(HttpLimits.class)
            .should()
            .callMethod(HttpServer.class, "create", InetSocketAddress.class, int.class)
            .orShould()
            .callMethod(HttpServer.class, "create");
}
