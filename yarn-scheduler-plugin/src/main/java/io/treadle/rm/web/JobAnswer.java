// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.gang.Gang;
import io.treadle.rm.history.JobHistories;
import io.treadle.rm.history.JobHistory;
import io.treadle.rm.power.JobPower;
import io.treadle.rm.scheduler.TreadleScheduler;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.jspecify.annotations.Nullable;

/** What is answered to who asks for one job. */
sealed interface JobAnswer {
    /** HTTP status. */
    int status();

    /**
     * A job that the caller may see.
     *
     * @param power what it draws and has spent; empty where no node has counted anything for it
     * @param endMs when it ended, ms since the epoch; empty while it is in the cluster
     * @param finalStatus YARN's in small letters, or {@code ended}; empty while it is in the cluster
     * @param trackingUrl address of its ApplicationMaster's page; empty where there is none
     */
    record Found(
            StatusReport.Job job,
            String policy,
            JobHistory history,
            Optional<JobPower> power,
            OptionalLong endMs,
            String finalStatus,
            String trackingUrl)
            implements JobAnswer {
        @Override
        public int status() {
            return 200;
        }

        /** The job's state; of one that is over, its final status. */
        String state() {
            return endMs.isEmpty() ? job.state() : finalStatus;
        }
    }

    /** @param application one that YARN has a page of */
    record Refused(int status, String message, Optional<ApplicationId> application) implements JobAnswer {}

    static JobAnswer find(ResourceManager resourceManager, HttpServletRequest request, String id) {
        if (!(resourceManager.getResourceScheduler() instanceof TreadleScheduler scheduler)) {
            return new Refused(404, otherScheduler(), Optional.empty());
        }
        ApplicationId application;
        try {
            application = ApplicationId.fromString(id);
        } catch (IllegalArgumentException e) {
            return new Refused(
                    400, "'" + id + "' is no application id, such as application_1700000000000_0001", Optional.empty());
        }
        Viewer viewer = new Viewer(resourceManager, request);
        RMApp app = resourceManager.getRMContext().getRMApps().get(application);
        Optional<Gang> gang = scheduler.gangs().find(application);
        Optional<JobHistories.EndedJob> ended = scheduler.histories().ended(application);
        Optional<Gang> known = gang.or(() -> ended.map(e -> e.job().gang()));
        if (known.isEmpty()) {
            return app == null
                    ? new Refused(404, "there is no application '" + id + "' in this cluster", Optional.empty())
                    : new Refused(404, unknown(id, app), Optional.of(application));
        }
        if (!viewer.mayView(known.get())) {
            return new Refused(403, viewer.name() + " may not view '" + id + "'", Optional.empty());
        }
        String policy = scheduler.policyName(known.get().queue());
        Optional<JobPower> power = scheduler.power().job(application.toString());
        return gang.isPresent()
                ? new Found(
                        scheduler.report().job(gang.get()),
                        policy,
                        scheduler.histories().of(application),
                        power,
                        OptionalLong.empty(),
                        "",
                        app == null ? "" : tracking(resourceManager, app))
                : found(ended.orElseThrow(), policy, power, finalStatus(app));
    }

    /** Where this ResourceManager is the proxy itself, an address on it: its own name may mean nothing to who asks. */
    private static String tracking(ResourceManager resourceManager, RMApp app) {
        String url = app.getTrackingUrl();
        String own = app.getOriginalTrackingUrl();
        if (url == null || !url.startsWith("http") || own == null || own.isEmpty() || own.equals("N/A")) {
            return "";
        }
        boolean otherProxy = !resourceManager
                .getConfig()
                .getTrimmed(YarnConfiguration.PROXY_ADDRESS, "")
                .isEmpty();
        return otherProxy ? url : "/proxy/" + app.getApplicationId() + "/";
    }

    private static Found found(
            JobHistories.EndedJob ended, String policy, Optional<JobPower> power, String finalStatus) {
        return new Found(ended.job(), policy, ended.history(), power, OptionalLong.of(ended.endMs()), finalStatus, "");
    }

    /** In small letters; {@code ended} where YARN does not say, or has forgotten the application. */
    static String finalStatus(@Nullable RMApp app) {
        FinalApplicationStatus status = app == null ? null : app.getFinalApplicationStatus();
        return status == null || status == FinalApplicationStatus.UNDEFINED
                ? "ended"
                : status.name().toLowerCase(Locale.ROOT);
    }

    private static String unknown(String id, RMApp app) {
        return switch (app.getState()) {
            case FINISHED, FAILED, KILLED ->
                "'" + id + "' has ended, and this ResourceManager has kept nothing of what it held";
            default -> "'" + id + "' is no job of Treadle's, or has not been admitted yet";
        };
    }

    static String otherScheduler() {
        return "this ResourceManager runs another scheduler: set yarn.resourcemanager.scheduler.class to "
                + TreadleScheduler.class.getName();
    }
}
