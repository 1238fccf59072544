// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import io.treadle.am.web.PageReaders;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * With YARN's ACLs on: the application's user, those whom its view ACL names, and YARN's administrators. Else everybody.
 * YARN's proxy checks no ACLs itself. Who administers the queue is unknown here, as it is to MapReduce's ApplicationMaster.
 */
final class ViewAcl implements PageReaders {
    private final boolean enabled;
    private final String owner;
    private final AccessControlList viewers;
    private final AccessControlList administrators;

    private ViewAcl(boolean enabled, String owner, AccessControlList viewers, AccessControlList administrators) {
        this.enabled = enabled;
        this.owner = owner;
        this.viewers = viewers;
        this.administrators = administrators;
    }

    /**
     * @param node the node's own configuration, which counts where it has ACLs on
     * @param client the same with what the client sent over it
     * @param acls as the ResourceManager tells them
     */
    static ViewAcl of(Configuration node, Configuration client, String owner, Map<ApplicationAccessType, String> acls) {
        Configuration settings = hasAcls(node) ? node : client;
        return new ViewAcl(
                hasAcls(settings),
                owner,
                new AccessControlList(
                        acls.getOrDefault(ApplicationAccessType.VIEW_APP, YarnConfiguration.DEFAULT_YARN_APP_ACL)),
                new AccessControlList(
                        settings.get(YarnConfiguration.YARN_ADMIN_ACL, YarnConfiguration.DEFAULT_YARN_ADMIN_ACL)));
    }

    private static boolean hasAcls(Configuration settings) {
        return settings.getBoolean(YarnConfiguration.YARN_ACL_ENABLE, YarnConfiguration.DEFAULT_YARN_ACL_ENABLE);
    }

    @Override
    public boolean mayRead(Optional<String> user) {
        if (!enabled) {
            return true;
        }
        if (user.isEmpty()) {
            return false;
        }
        if (user.get().equals(owner)) {
            return true;
        }
        UserGroupInformation reader = UserGroupInformation.createRemoteUser(user.get());
        return viewers.isUserAllowed(reader) || administrators.isUserAllowed(reader);
    }
}
