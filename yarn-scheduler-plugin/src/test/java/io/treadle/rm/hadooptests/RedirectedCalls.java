// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Turns {@code new CapacityScheduler()} into {@code new TreadleScheduler()}, and so for what else is redirected. */
final class RedirectedCalls extends MethodVisitor {
    private final boolean isInSubclass;
    /** How many {@code new} wait for their constructor call: a call without one is a subclass calling super(). */
    private int open;

    /** @param isInSubclass whether the method's class extends one that is redirected */
    RedirectedCalls(MethodVisitor next, boolean isInSubclass) {
        super(Opcodes.ASM9, next);
        this.isInSubclass = isInSubclass;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW && Redirected.isRedirected(type)) {
            open++;
            super.visitTypeInsn(opcode, Redirected.target(type));
        } else {
            super.visitTypeInsn(opcode, type);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        boolean constructs = opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && Redirected.isRedirected(owner);
        if (constructs && (open > 0 || isInSubclass)) {
            open = Math.max(0, open - 1);
            super.visitMethodInsn(opcode, Redirected.target(owner), name, descriptor, isInterface);
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, Redirected.class.getName().replace('.', '/'), "counted", "()V", false);
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }
}
