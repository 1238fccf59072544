// SPDX-License-Identifier: Apache-2.0
package io.treadle.live;

import io.treadle.core.placement.Placement;
import io.treadle.core.policy.Policy;
import io.treadle.core.policy.PolicyPlugin;
import java.util.Map;
import java.util.function.Function;

/** Makes {@link EverySize} known to the embedded ResourceManager, as any policy of one's own. */
public final class EverySizePlugin implements PolicyPlugin {
    @Override
    public Map<String, Function<Placement, Policy>> policies() {
        return Map.of(EverySize.NAME, EverySize::new);
    }
}
