// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.core.wire.ZkPaths;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.power.JobPower;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
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
        return !resourceManager.getApplicationACLsManager().areACLsEnabled() || isUser(owner) || isAdmin();
    }

    boolean maySeeEnergyOf(String user) {
        return maySeeProfilesOf(ZkPaths.name(user));
    }

    /** The user itself, and those who {@link #mayChangeCluster}. */
    boolean mayChangeProfilesOf(String owner) {
        return isSomebody() && (isUser(owner) || administersCluster());
    }

    /**
     * YARN's administrators ({@code yarn.admin.acl}), also where YARN's ACLs are off. Hadoop's default names everybody: with ACLs off
     * that is read as nobody but the ResourceManager's own user, as it was not chosen.
     */
    boolean mayChangeCluster() {
        return isSomebody() && administersCluster();
    }

    /** What is added to a refusal for a caller who cannot know what it lacks; may be empty. */
    String whyNobody() {
        if (!isSomebody()) {
            return "; name yourself, for example by '?user.name=NAME' where the cluster has no Kerberos";
        }
        boolean isUnset = resourceManager
                .getConfig()
                .get(YarnConfiguration.YARN_ADMIN_ACL, YarnConfiguration.DEFAULT_YARN_ADMIN_ACL)
                .strip()
                .equals("*");
        return isUnset ? ", which names nobody in particular here" : "";
    }

    private boolean administersCluster() {
        if (resourceManager.getApplicationACLsManager().areACLsEnabled()) {
            return isAdmin();
        }
        String user = request.getRemoteUser();
        if (user == null) {
            return false;
        }
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
        AccessControlList named = new AccessControlList(resourceManager
                .getConfig()
                .get(YarnConfiguration.YARN_ADMIN_ACL, YarnConfiguration.DEFAULT_YARN_ADMIN_ACL));
        return caller.getShortUserName().equals(ownUser()) || (!named.isAllAllowed() && named.isUserAllowed(caller));
    }

    private static String ownUser() {
        try {
            return UserGroupInformation.getLoginUser().getShortUserName();
        } catch (IOException e) {
            throw new UncheckedIOException("the ResourceManager's own user is not known", e);
        }
    }

    /** Who gives no name is the static web user, and may change nothing: a page or a script changes nothing by accident. */
    private boolean isSomebody() {
        String user = request.getRemoteUser();
        String nobody = resourceManager
                .getConfig()
                .get(
                        CommonConfigurationKeys.HADOOP_HTTP_STATIC_USER,
                        CommonConfigurationKeys.DEFAULT_HADOOP_HTTP_STATIC_USER);
        return user != null && !user.equals(nobody);
    }

    private boolean isUser(String owner) {
        String user = request.getRemoteUser();
        return user != null
                && ZkPaths.name(UserGroupInformation.createRemoteUser(user).getShortUserName())
                        .equals(owner);
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
