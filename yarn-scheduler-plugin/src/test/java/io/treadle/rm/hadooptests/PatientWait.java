// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import net.bytebuddy.asm.Advice;

/**
 * Hadoop's tests wait for conditions three seconds or so, which a busy machine does not keep. Its code is woven into
 * {@code GenericTestUtils.waitFor}, for both schedulers: a condition that comes ends the wait as soon as before.
 */
public final class PatientWait {
    private PatientWait() {}

    @Advice.OnMethodEnter
    public static void longer(@Advice.Argument(value = 2, readOnly = false) long mostMillis) {
        mostMillis = mostMillis * 10;
    }
}
