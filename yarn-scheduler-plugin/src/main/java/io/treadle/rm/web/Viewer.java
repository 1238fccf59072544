// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.power.JobPower;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;

/** Who asks, and what YARN's own rules let them see: the application's view ACL, or the right to administer its queue. */
final class Viewer {
    private final ResourceManager resourceManager;
    private final HttpServletRequest request;

    Viewer(ResourceManager resourceManager, HttpServletRequest request) {
        this.resourceManager = resourceManager;
        this.request = request;
    }

    /** The user's name; {@code an unknown user} where there is none. */
    String name() {
        String user = request.getRemoteUser();
        return user == null ? "an unknown user" : "user '" + user + "'";
    }

    boolean mayView(Gang gang) {
        return mayView(gang.user(), gang.id());
    }

    boolean mayView(JobPower job) {
        return mayView(job.owner().user(), ApplicationId.fromString(job.owner().application()));
    }

    /**
     * Whether a container may be seen, by its id, as its application may. What is no container's id, or of an application that
     * YARN does not know, administrators see. For one answer: what is found out is kept.
     */
    Predicate<String> containers() {
        if (!resourceManager.getApplicationACLsManager().areACLsEnabled()) {
            return id -> true;
        }
        Map<ApplicationId, Boolean> known = new HashMap<>();
        return id -> {
            try {
                return known.computeIfAbsent(
                        ContainerId.fromString(id).getApplicationAttemptId().getApplicationId(), this::mayView);
            } catch (IllegalArgumentException e) {
                return isAdmin();
            }
        };
    }

    private boolean mayView(ApplicationId id) {
        RMApp app = resourceManager.getRMContext().getRMApps().get(id);
        return app == null ? isAdmin() : mayView(app.getUser(), id);
    }

    private boolean mayView(String owner, ApplicationId id) {
        if (!resourceManager.getApplicationACLsManager().areACLsEnabled()) {
            return true;
        }
        String user = request.getRemoteUser();
        if (user == null) {
            return false;
        }
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
        return resourceManager
                        .getApplicationACLsManager()
                        .checkAccess(caller, ApplicationAccessType.VIEW_APP, owner, id)
                || administers(caller, id);
    }

    /** @param owner a user's name as profiles are stored under */
    boolean maySeeProfilesOf(String owner) {
        return !resourceManager.getApplicationACLsManager().areACLsEnabled() || isUserOrAdmin(owner);
    }

    boolean maySeeEnergyOf(String user) {
        return maySeeProfilesOf(ZkPaths.name(user));
    }

    /** As for seeing. */
    boolean mayChangeProfilesOf(String owner) {
        return isSomebody() && maySeeProfilesOf(owner);
    }

    /** YARN's administrators; everybody where there are no ACLs. */
    boolean mayChangeCluster() {
        String user = request.getRemoteUser();
        return user != null
                && isSomebody()
                && (!resourceManager.getApplicationACLsManager().areACLsEnabled() || isAdmin());
    }

    /** Nobody in particular may change nothing, as with YARN's own services. */
    private boolean isSomebody() {
        String user = request.getRemoteUser();
        String nobody = resourceManager
                .getConfig()
                .get(
                        CommonConfigurationKeys.HADOOP_HTTP_STATIC_USER,
                        CommonConfigurationKeys.DEFAULT_HADOOP_HTTP_STATIC_USER);
        return user != null && !(UserGroupInformation.isSecurityEnabled() && user.equals(nobody));
    }

    private boolean isUserOrAdmin(String owner) {
        String user = request.getRemoteUser();
        if (user == null) {
            return false;
        }
        return ZkPaths.name(UserGroupInformation.createRemoteUser(user).getShortUserName())
                        .equals(owner)
                || isAdmin();
    }

    private boolean isAdmin() {
        String user = request.getRemoteUser();
        return user != null
                && resourceManager.getApplicationACLsManager().isAdmin(UserGroupInformation.createRemoteUser(user));
    }

    private boolean administers(UserGroupInformation caller, ApplicationId id) {
        RMApp app = resourceManager.getRMContext().getRMApps().get(id);
        String forwarded = request.getHeader("X-Forwarded-For");
        return app != null
                && resourceManager
                        .getQueueACLsManager()
                        .checkAccess(
                                caller,
                                QueueACL.ADMINISTER_QUEUE,
                                app,
                                request.getRemoteAddr(),
                                forwarded == null ? List.of() : Arrays.asList(forwarded.split(",", -1)));
    }
}
