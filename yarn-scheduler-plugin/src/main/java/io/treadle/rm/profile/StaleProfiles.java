// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.profile;

import io.treadle.core.wire.ProfileRecord;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets stored profiles of which time has left nothing that anybody would trust. Without it they would grow in number for as long as
 * users think of new model tags. Each look takes up a few, where the one before has ended. For one thread.
 */
final class StaleProfiles {
    private static final Logger LOG = LoggerFactory.getLogger(StaleProfiles.class);

    private final ProfileStore store;
    private final InstantSource clock;
    private Optional<ProfileKey> last = Optional.empty();

    StaleProfiles(ProfileStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** @param most how many profiles are read at most */
    void look(int most) throws Exception {
        List<ProfileKey> keys = store.after(last, most);
        for (ProfileKey key : keys) {
            Optional<ProfileRecord> profile = store.find(key);
            if (profile.isPresent() && saysNothing(ProfileStore.trusted(profile.get(), clock.millis()))) {
                store.forget(key);
                LOG.info("Stored profile {} is forgotten: what it says is too old", key);
            }
        }
        last = keys.size() < most ? Optional.empty() : Optional.of(keys.get(most - 1));
    }

    private static boolean saysNothing(ProfileRecord profile) {
        return profile.points().isEmpty()
                && profile.energy().isEmpty()
                && profile.servers().isEmpty();
    }
}
