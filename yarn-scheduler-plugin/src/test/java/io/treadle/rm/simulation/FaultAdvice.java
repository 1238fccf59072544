// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.simulation;

import java.util.List;
import java.util.Optional;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;

/** What a method does instead of its work. The code is copied into the method: it may use public classes alone. */
@SuppressWarnings("UnusedVariable") // What a method returns is set by its copy.
final class FaultAdvice {
    private FaultAdvice() {}

    /** Returns nothing, false or 0. */
    static final class DoNothing {
        private DoNothing() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }

    static final class NoObstacle {
        private NoObstacle() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Optional<?> returned) {
            returned = Optional.empty();
        }
    }

    /** Returns its first argument. */
    static final class GiveBackTheFirst {
        private GiveBackTheFirst() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Object first,
                @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object returned) {
            returned = first;
        }
    }

    /** Returns a list of its first argument alone. */
    static final class OfTheFirst {
        private OfTheFirst() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Object first, @Advice.Return(readOnly = false) List<?> returned) {
            returned = List.of(first);
        }
    }

    /** As if the devices had been looked at before the newest containers of the node were committed. */
    static final class OverlookWhatIsNotFetched {
        private OverlookWhatIsNotFetched() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) RMContainer container) {
            return container.getState() == RMContainerState.ALLOCATED;
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Enter boolean overlooked, @Advice.Return(readOnly = false) boolean returned) {
            returned = overlooked || returned;
        }
    }
}
