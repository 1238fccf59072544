// SPDX-License-Identifier: Apache-2.0
package io.treadle.linkage;

import io.treadle.linkage.ClassShape.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Whether classes that were compiled against some jars work with others: what a JVM would find out late, by a
 * {@link LinkageError} at the first call, and what it would never say, as a method that overrides nothing any more.
 */
final class Linkage {
    private final ClassFiles ours;
    private final ClassFiles before;
    private final ClassFiles with;

    /**
     * @param ours the classes that are looked at
     * @param before these and what they were compiled against
     * @param with these and what they are to work with
     */
    Linkage(ClassFiles ours, ClassFiles before, ClassFiles with) {
        this.ours = ours;
        this.before = before;
        this.with = with;
    }

    /** One line for each fault, sorted. */
    List<String> faults() {
        TreeSet<String> faults = new TreeSet<>();
        ours.all().values().forEach(file -> {
            References.of(file)
                    .forEach(reference -> fault(reference).ifPresent(fault -> faults.add(reference + ": " + fault)));
            ClassShape shape = ClassShape.of(file);
            faults.addAll(overrides(shape));
            faults.addAll(unimplemented(shape));
        });
        return List.copyOf(faults);
    }

    private Optional<String> fault(Reference reference) {
        Optional<ClassShape> owner = with.find(reference.owner());
        if (owner.isEmpty()) {
            return Optional.of("there is no such class");
        }
        if (!mayName(reference.from(), owner.get())) {
            return Optional.of("the class is not public");
        }
        return reference.member().flatMap(member -> memberFault(reference, owner.get(), member));
    }

    private Optional<String> memberFault(Reference reference, ClassShape owner, Member member) {
        boolean isMethod = member.descriptor().startsWith("(");
        for (ClassShape shape : member.name().equals("<init>") ? List.of(owner) : lookUp(owner)) {
            Integer access = (isMethod ? shape.methods() : shape.fields()).get(member);
            if (access != null) {
                boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
                if (isStatic != reference.isStatic()) {
                    return Optional.of(isStatic ? "it is static" : "it is not static");
                }
                return mayUse(reference.from(), shape, access)
                        ? Optional.empty()
                        : Optional.of("it may not be used from here");
            }
            if (isSignaturePolymorphic(shape, member)) {
                return Optional.empty();
            }
        }
        return Optional.of(isMethod ? "there is no such method" : "there is no such field");
    }

    /** Interfaces have Object's methods, too. */
    private List<ClassShape> lookUp(ClassShape owner) {
        List<ClassShape> found = new ArrayList<>(with.hierarchy(owner.name()));
        with.find("java/lang/Object").ifPresent(found::add);
        return found;
    }

    private static boolean isSignaturePolymorphic(ClassShape shape, Member member) {
        return shape.name().equals("java/lang/invoke/MethodHandle")
                && member.name().startsWith("invoke");
    }

    /** What is protected or private in an outer class is public, or of its package, in a nested class' own file. */
    private static boolean mayName(String from, ClassShape owner) {
        return owner.is(Opcodes.ACC_PUBLIC) || owner.packageName().equals(ClassShape.packageOf(from));
    }

    private boolean mayUse(String from, ClassShape declaring, int access) {
        if ((access & Opcodes.ACC_PUBLIC) != 0) {
            return true;
        }
        boolean samePackage = declaring.packageName().equals(ClassShape.packageOf(from));
        if ((access & Opcodes.ACC_PRIVATE) != 0) {
            return samePackage && outermost(from).equals(outermost(declaring.name()));
        }
        return samePackage || ((access & Opcodes.ACC_PROTECTED) != 0 && with.isA(from, declaring.name()));
    }

    private static String outermost(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** Methods that override one of the classes that they were compiled against, and none, or one that is final, with the others. */
    private List<String> overrides(ClassShape shape) {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<Member, Integer> method : shape.methods().entrySet()) {
            Member member = method.getKey();
            if (member.name().startsWith("<")
                    || (method.getValue() & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC)) != 0) {
                continue;
            }
            Optional<ClassShape> overridden = overridden(before, shape, member);
            Optional<ClassShape> now = overridden(with, shape, member);
            if (overridden.isPresent() && now.isEmpty()) {
                faults.add(shape.name() + " overrides " + overridden.get().name() + "." + member
                        + ": there is no such method");
            }
            now.filter(s -> (s.methods().getOrDefault(member, 0) & Opcodes.ACC_FINAL) != 0)
                    .ifPresent(
                            s -> faults.add(shape.name() + " overrides " + s.name() + "." + member + ": it is final"));
        }
        return faults;
    }

    private static Optional<ClassShape> overridden(ClassFiles files, ClassShape shape, Member member) {
        return files.hierarchy(shape.name()).stream()
                .filter(s -> !s.name().equals(shape.name()))
                .filter(s -> isInherited(s, member, shape))
                .findFirst();
    }

    private static boolean isInherited(ClassShape parent, Member member, ClassShape child) {
        Integer access = parent.methods().get(member);
        return access != null
                && (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0
                && ((access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
                        || parent.packageName().equals(child.packageName()));
    }

    /** Methods that a class with instances has to have, and has not, with the other jars. */
    private List<String> unimplemented(ClassShape shape) {
        if (shape.is(Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) {
            return List.of();
        }
        List<ClassShape> all = with.hierarchy(shape.name());
        List<String> faults = new ArrayList<>();
        for (ClassShape parent : all) {
            parent.methods().forEach((member, access) -> {
                if ((access & Opcodes.ACC_ABSTRACT) != 0 && all.stream().noneMatch(s -> implementsIt(s, member))) {
                    faults.add(shape.name() + " does not implement " + parent.name() + "." + member);
                }
            });
        }
        return faults;
    }

    private static boolean implementsIt(ClassShape shape, Member member) {
        Integer access = shape.methods().get(member);
        return access != null && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0;
    }
}
