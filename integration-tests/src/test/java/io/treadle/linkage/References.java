// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import io.treadle.linkage.ClassShape.Member;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ConstantDynamic;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Everything that a class file names of other classes, but for annotations, which a JVM passes over if they are missing. */
final class References {
    private final Set<Reference> found = new LinkedHashSet<>();
    private final String from;

    private References(String from) {
        this.from = from;
    }

    static Set<Reference> of(byte[] file) {
        ClassReader reader = new ClassReader(file);
        References references = new References(reader.getClassName());
        reader.accept(references.new OfClass(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return references.found;
    }

    private void addClass(@Nullable String name) {
        if (name != null) {
            addType(Type.getObjectType(name));
        }
    }

    private void addClasses(String @Nullable [] names) {
        if (names != null) {
            for (String name : names) {
                addClass(name);
            }
        }
    }

    private void addType(Type type) {
        switch (type.getSort()) {
            case Type.ARRAY -> addType(type.getElementType());
            case Type.OBJECT -> found.add(new Reference(from, type.getInternalName(), Optional.empty(), false));
            case Type.METHOD -> {
                addType(type.getReturnType());
                for (Type argument : type.getArgumentTypes()) {
                    addType(argument);
                }
            }
            default -> {}
        }
    }

    private void addMember(String owner, String name, String descriptor, boolean isStatic) {
        addClass(owner);
        addType(Type.getType(descriptor));
        // An array's methods are those of Object.
        String declaring = owner.startsWith("[") ? "java/lang/Object" : owner;
        found.add(new Reference(from, declaring, Optional.of(new Member(name, descriptor)), isStatic));
    }

    private void addHandle(Handle handle) {
        int tag = handle.getTag();
        boolean isStatic = tag == Opcodes.H_INVOKESTATIC || tag == Opcodes.H_GETSTATIC || tag == Opcodes.H_PUTSTATIC;
        addMember(handle.getOwner(), handle.getName(), handle.getDesc(), isStatic);
    }

    private void addConstant(Object constant) {
        if (constant instanceof Type type) {
            addType(type);
        } else if (constant instanceof Handle handle) {
            addHandle(handle);
        } else if (constant instanceof ConstantDynamic dynamic) {
            addType(Type.getType(dynamic.getDescriptor()));
            addHandle(dynamic.getBootstrapMethod());
        }
    }

    private final class OfClass extends ClassVisitor {
        OfClass() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int version,
                int flags,
                String name,
                @Nullable String signature,
                @Nullable String parent,
                String @Nullable [] interfaces) {
            addClass(parent);
            addClasses(interfaces);
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int flags, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            addType(Type.getType(descriptor));
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int flags, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
            addType(Type.getType(descriptor));
            addClasses(exceptions);
            return new OfMethod();
        }
    }

    private final class OfMethod extends MethodVisitor {
        OfMethod() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            addClass(type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            addMember(owner, name, descriptor, opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            addMember(owner, name, descriptor, opcode == Opcodes.INVOKESTATIC);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            addType(Type.getMethodType(descriptor));
            addHandle(bootstrap);
            for (Object argument : arguments) {
                addConstant(argument);
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            addConstant(value);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            addType(Type.getType(descriptor));
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
            addClass(type);
        }
    }
}
