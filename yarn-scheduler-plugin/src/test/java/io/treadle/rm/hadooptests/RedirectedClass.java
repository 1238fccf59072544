// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/** A class of Hadoop's tests that makes schedulers with {@code new}, or extends one: both become ours. */
final class RedirectedClass extends AsmVisitorWrapper.AbstractBase {
    @Override
    public int mergeWriter(int flags) {
        return flags | ClassWriter.COMPUTE_MAXS;
    }

    @Override
    public ClassVisitor wrap(
            TypeDescription type,
            ClassVisitor next,
            Implementation.Context context,
            TypePool pool,
            FieldList<FieldDescription.InDefinedShape> fields,
            MethodList<?> methods,
            int writerFlags,
            int readerFlags) {
        return new Redirecting(next);
    }

    private static final class Redirecting extends ClassVisitor {
        private boolean isSubclass;

        Redirecting(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String parent,
                String @Nullable [] interfaces) {
            isSubclass = parent != null && Redirected.isRedirected(parent);
            super.visit(
                    version,
                    access,
                    name,
                    signature,
                    parent != null && isSubclass ? Redirected.target(parent) : parent,
                    interfaces);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return next == null ? null : new RedirectedCalls(next, isSubclass && name.equals("<init>"));
        }
    }
}
