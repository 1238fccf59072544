// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * What other classes see of a class file. Names are those of class files, such as {@code java/lang/Object}; access flags
 * are those of {@link Opcodes}.
 */
record ClassShape(
        String name,
        int access,
        Optional<String> parent,
        List<String> interfaces,
        Map<Member, Integer> methods,
        Map<Member, Integer> fields) {

    /** A method or a field, without its class. */
    record Member(String name, String descriptor) {
        @Override
        public String toString() {
            return descriptor.startsWith("(") ? name + descriptor : name + " " + descriptor;
        }
    }

    static ClassShape of(byte[] file) {
        Reader reader = new Reader();
        new ClassReader(file).accept(reader, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return new ClassShape(
                reader.name, reader.access, reader.parent, reader.interfaces, reader.methods, reader.fields);
    }

    boolean is(int flag) {
        return (access & flag) != 0;
    }

    String packageName() {
        return packageOf(name);
    }

    static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    private static final class Reader extends ClassVisitor {
        private final Map<Member, Integer> methods = new HashMap<>();
        private final Map<Member, Integer> fields = new HashMap<>();
        private final List<String> interfaces = new ArrayList<>();
        private String name = "";
        private int access;
        private Optional<String> parent = Optional.empty();

        Reader() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int version,
                int flags,
                String ownName,
                @Nullable String signature,
                @Nullable String parentName,
                String @Nullable [] interfaceNames) {
            name = ownName;
            access = flags;
            parent = Optional.ofNullable(parentName);
            if (interfaceNames != null) {
                interfaces.addAll(List.of(interfaceNames));
            }
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int flags,
                String methodName,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            methods.put(new Member(methodName, descriptor), flags);
            return null;
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int flags, String fieldName, String descriptor, @Nullable String signature, @Nullable Object value) {
            fields.put(new Member(fieldName, descriptor), flags);
            return null;
        }
    }
}
