// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.hadooptests;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.jspecify.annotations.Nullable;

/** What {@code ResourceManager.createScheduler()} gives back, exchanged. Its code is woven into that method. */
public final class CreatedScheduler {
    private CreatedScheduler() {}

    @Advice.OnMethodExit
    public static void exchange(
            @Advice.Return(readOnly = false) @Nullable ResourceScheduler scheduler,
            @Advice.FieldValue("conf") Configuration conf) {
        scheduler = Redirected.insteadOf(scheduler, conf);
    }
}
