// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Turns {@code new CapacityScheduler()} into {@code new TreadleScheduler()}. */
final class NewSchedulerVisitor extends MethodVisitor {
    private static final String STOCK =
            "org/apache/hadoop/yarn/server/resourcemanager/scheduler/capacity/CapacityScheduler";
    private static final String OURS = "io/treadle/rm/scheduler/TreadleScheduler";
    private static final String COUNTER = "io/treadle/rm/hadooptests/Redirected";

    /** How many {@code new} wait for their constructor call: a call without one is a subclass calling super(). */
    private int open;

    NewSchedulerVisitor(MethodVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode == Opcodes.NEW && type.equals(STOCK)) {
            open++;
            super.visitTypeInsn(opcode, OURS);
        } else {
            super.visitTypeInsn(opcode, type);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        if (open > 0 && opcode == Opcodes.INVOKESPECIAL && owner.equals(STOCK) && name.equals("<init>")) {
            open--;
            super.visitMethodInsn(opcode, OURS, name, descriptor, isInterface);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, "counted", "()V", false);
        } else {
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }
}
