// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.ModifierAdjustment;
import net.bytebuddy.description.modifier.TypeManifestation;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.utility.JavaModule;
import org.jspecify.annotations.Nullable;

/**
 * Java agent under which Hadoop's tests meet TreadleScheduler where they mean CapacityScheduler: in what a
 * ResourceManager creates from its configuration (which the tests set themselves, so that no setting can redirect them), in
 * what a test creates with {@code new}, and in what a test extends. With it comes our preemption policy for YARN's. Its argument
 * is the {@link Target}: for stock only the tests' patience is changed, as it is for ours.
 */
public final class RedirectAgent {
    private static final String RESOURCE_MANAGER = "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";
    /** By its name: loaded now it would be changed no more. */
    private static final String OURS = "io.treadle.rm.scheduler.TreadleScheduler";

    private static final String WAITS = "org.apache.hadoop.test.GenericTestUtils";
    private static final String TESTS_JAR = ".*/hadoop-yarn-server-resourcemanager-[^/]*-tests\\.jar";

    private RedirectAgent() {}

    @SuppressWarnings("unused") // called by the JVM
    public static void premain(String arguments, Instrumentation instrumentation) {
        AgentBuilder agent = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(named(WAITS))
                .transform((builder, type, loader, module, domain) -> builder.visit(
                        Advice.to(PatientWait.class).on(named("waitFor").and(takesArguments(4)))));
        if (arguments.equals(Target.OURS.label())) {
            agent = redirecting(agent);
        }
        agent.installOn(instrumentation);
    }

    private static AgentBuilder redirecting(AgentBuilder agent) {
        return agent.type(named(RESOURCE_MANAGER))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(CreatedScheduler.class).on(named("createScheduler"))))
                // Tests that extend CapacityScheduler are to extend ours, which nobody else may.
                .type(named(OURS))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(new ModifierAdjustment().withTypeModifiers(TypeManifestation.PLAIN)))
                .type(RedirectAgent::isTest)
                .transform((builder, type, loader, module, domain) -> builder.visit(new RedirectedClass()));
    }

    private static boolean isTest(
            TypeDescription type,
            @Nullable ClassLoader loader,
            @Nullable JavaModule module,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain) {
        return domain != null
                && domain.getCodeSource() != null
                && domain.getCodeSource().getLocation() != null
                && domain.getCodeSource().getLocation().getPath().matches(TESTS_JAR);
    }
}
