// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.master;

import io.treadle.am.profile.ProfileSettings;

/**
 * How the ApplicationMaster waits and how it measures; {@code treadle.*} in the client's configuration.
 *
 * @param registerSeconds how long a launched runner may take to register
 * @param silenceSeconds how long a runner may be silent before its container counts as lost
 * @param gatherSeconds how long an elastic job that could start waits for more containers
 * @param commandSeconds how long a worker may take to obey a command
 */
record MasterSettings(
        double registerSeconds,
        double silenceSeconds,
        double gatherSeconds,
        double commandSeconds,
        ProfileSettings profile) {
    static final MasterSettings DEFAULT = new MasterSettings(180, 120, 3, 30, ProfileSettings.DEFAULT);
}
