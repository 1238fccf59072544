// SPDX-License-Identifier: Apache-2.0
package io.treadle.am;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What may know what in the client and the ApplicationMaster. */
@AnalyzeClasses(packages = "io.treadle.am", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Neither the ResourceManager's nor the NodeManager's side: they meet in {@code io.treadle.core.wire}. */
    @ArchTest
    static final ArchRule KNOWS_ONLY_THE_CORE_AND_ITS_LIBRARIES = classes()
            .that()
            .resideInAPackage("io.treadle.am..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.treadle.am..",
                    "io.treadle.core..",
                    "java..",
                    "javax.net.ssl..",
                    "com.sun.net.httpserver..",
                    "com.fasterxml.jackson..",
                    "org.yaml.snakeyaml..",
                    "org.apache.hadoop..",
                    "org.apache.curator..",
                    "org.apache.zookeeper..",
                    "org.slf4j..",
                    "org.jspecify..",
                    "ai.onnxruntime..");

    /** Whose native code is on the class path of a service's workers alone. */
    @ArchTest
    static final ArchRule ONE_PACKAGE_KNOWS_ONNX_RUNTIME = noClasses()
            .that()
            .resideOutsideOfPackage("io.treadle.am.query.onnx..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("ai.onnxruntime..", "io.treadle.am.query.onnx..");

    @ArchTest
    static final ArchRule NO_SERVER_CLASSES = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.hadoop.yarn.server.resourcemanager..", "org.apache.hadoop.yarn.server.nodemanager..");

    @ArchTest
    static final ArchRule SPECIFICATION_IS_PLAIN_JAVA = noClasses()
            .that()
            .resideInAPackage("io.treadle.am.spec..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache..", "io.treadle.am.client..", "io.treadle.am.conf..");

    @ArchTest
    static final ArchRule CLIENT_KNOWS_NO_APPLICATION_MASTER = noClasses()
            .that()
            .resideInAPackage("io.treadle.am.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.treadle.am.master..",
                    "io.treadle.am.launch..",
                    "io.treadle.am.runner..",
                    "io.treadle.am.profile..",
                    "io.treadle.am.web..",
                    "io.treadle.am.yarn..",
                    "io.treadle.am.query..",
                    "io.treadle.am.framework..");

    /** What others wrote must pass {@code PlainStream} on its way to a terminal. */
    @ArchTest
    static final ArchRule CLIENT_WRITES_TO_ITS_CONSOLE = noClasses()
            .that()
            .resideInAPackage("io.treadle.am.client..")
            .and()
            .doNotHaveSimpleName("Console")
            .and()
            .doNotHaveSimpleName("Main")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err");

    @ArchTest
    static final ArchRule NOTHING_KNOWS_THE_CLIENT = noClasses()
            .that()
            .resideOutsideOfPackage("io.treadle.am.client..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.treadle.am.client..");

    /** Training jobs and services share it. */
    @ArchTest
    static final ArchRule YARN_SERVES_ANY_APPLICATION = noClasses()
            .that()
            .resideInAPackage("io.treadle.am.yarn..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.treadle.am.master..", "io.treadle.am.query..", "io.treadle.am.spec..");

    /** A runner starts from the AM's jar alone. */
    @ArchTest
    static final ArchRule RUNNERS_NEED_NOTHING_THAT_THEIR_CLASS_PATH_LACKS = noClasses()
            .that()
            .resideInAnyPackage("io.treadle.am.runner..", "io.treadle.am.protocol..", "io.treadle.am.framework..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache..", "org.slf4j..", "com.google..", "org.yaml..");

    @ArchTest
    static final ArchRule PROFILING_IS_PURE = noClasses()
            .that()
            .resideInAPackage("io.treadle.am.profile..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache..", "io.treadle.am.master..", "java.net..", "java.nio.file..");

    @ArchTest
    static final ArchRule STATE_MACHINE_REACHES_YARN_THROUGH_ITS_GATEWAYS = noClasses()
            .that()
            .haveSimpleNameStartingWith("JobMaster")
            .or()
            .haveSimpleName("Gang")
            .or()
            .haveSimpleName("SpeedWatch")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..");
}
