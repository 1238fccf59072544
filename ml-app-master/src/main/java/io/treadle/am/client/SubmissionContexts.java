// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import io.treadle.am.conf.ContainerClassPath;
import io.treadle.am.spec.JobSpec;
import io.treadle.core.wire.GangSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.Records;

/** Builds what is handed to the ResourceManager. */
final class SubmissionContexts {
    /** Environment variable that tells the ApplicationMaster its staging directory, a qualified URI. */
    static final String APP_STAGING = "TREADLE_APP_STAGING";

    static final String TAG = "treadle";

    private static final String DEFAULT_QUEUE = "default";
    private static final String HADOOP_USER_NAME = "HADOOP_USER_NAME";

    private final Configuration conf;
    private final ClientConf settings;

    SubmissionContexts(Configuration conf, ClientConf settings) {
        this.conf = conf;
        this.settings = settings;
    }

    ApplicationSubmissionContext build(
            ApplicationId id,
            Submittable what,
            String zkDigest,
            String staging,
            Map<String, LocalResource> resources,
            ByteBuffer credentials)
            throws IOException {
        JobSpec spec = what.spec();
        ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
        context.setApplicationId(id);
        context.setApplicationName(spec.name());
        context.setApplicationType(what.type());
        context.setApplicationTags(tags());
        context.setQueue(spec.queue().isEmpty() ? DEFAULT_QUEUE : spec.queue());
        context.setMaxAppAttempts(spec.maxAmAttempts());
        context.setAttemptFailuresValidityInterval(settings.amFailuresValidityMs());
        context.setKeepContainersAcrossApplicationAttempts(true);
        context.setResource(Resource.newInstance(
                spec.appMaster().memoryMiB(), (int) spec.appMaster().vcores()));
        if (what.isGang()) {
            context.setApplicationSchedulingPropertiesMap(gang(spec, zkDigest).toProperties());
        }
        context.setAMContainerSpec(ContainerLaunchContext.newInstance(
                resources,
                environment(staging),
                List.of(AmCommand.commandLine(
                        what.master(), what.isService(), spec.appMaster().memoryMiB(), settings)),
                null,
                credentials,
                acls()));
        return context;
    }

    private Map<ApplicationAccessType, String> acls() {
        Map<ApplicationAccessType, String> acls = new EnumMap<>(ApplicationAccessType.class);
        if (!settings.viewAcl().isEmpty()) {
            acls.put(ApplicationAccessType.VIEW_APP, settings.viewAcl());
        }
        if (!settings.modifyAcl().isEmpty()) {
            acls.put(ApplicationAccessType.MODIFY_APP, settings.modifyAcl());
        }
        return acls;
    }

    static GangSpec gang(JobSpec spec, String zkDigest) {
        List<GangSpec.Group> groups = spec.groups().stream()
                .map(group -> new GangSpec.Group(
                        group.name(), group.min(), group.count(), YarnResources.perTask(group), group.gpuModels()))
                .toList();
        return new GangSpec(
                groups,
                spec.modelTag(),
                spec.batchSize(),
                spec.totalSamples(),
                spec.elastic(),
                spec.minRuntimeSeconds(),
                zkDigest,
                spec.sizing());
    }

    private Set<String> tags() {
        Set<String> tags = new HashSet<>(settings.applicationTags());
        tags.add(TAG);
        return tags;
    }

    private Map<String, String> environment(String staging) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(Environment.CLASSPATH.name(), ContainerClassPath.of(conf, StagingDirectory.AM_JAR));
        environment.put(APP_STAGING, staging);
        if (!UserGroupInformation.isSecurityEnabled()) {
            // Without Kerberos an NM runs containers as its own user, who may not read the job's private files.
            environment.put(
                    HADOOP_USER_NAME, UserGroupInformation.getCurrentUser().getShortUserName());
        }
        return environment;
    }
}
