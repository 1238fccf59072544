// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import static net.bytebuddy.matcher.ElementMatchers.any;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.pool.TypePool;

/**
 * Java agent under which Hadoop's tests meet TreadleScheduler where they mean CapacityScheduler: in what a
 * ResourceManager creates from its configuration (which the tests set themselves, so that no setting can redirect them),
 * and in what a test creates with {@code new}.
 */
public final class RedirectAgent {
    private static final String RESOURCE_MANAGER = "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager";
    private static final String TESTS = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.";

    private RedirectAgent() {}

    @SuppressWarnings("unused") // called by the JVM
    public static void premain(String arguments, Instrumentation instrumentation) {
        new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(named(RESOURCE_MANAGER))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(CreatedScheduler.class).on(named("createScheduler"))))
                .type(nameStartsWith(TESTS + "Test").or(nameStartsWith(TESTS + "CapacitySchedulerTest")))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(new AsmVisitorWrapper.ForDeclaredMethods()
                                .writerFlags(ClassWriter.COMPUTE_MAXS)
                                .invokable(any(), RedirectAgent::visitor)))
                .installOn(instrumentation);
    }

    private static NewSchedulerVisitor visitor(
            TypeDescription type,
            MethodDescription method,
            MethodVisitor visitor,
            Implementation.Context context,
            TypePool pool,
            int writerFlags,
            int readerFlags) {
        return new NewSchedulerVisitor(visitor);
    }
}
