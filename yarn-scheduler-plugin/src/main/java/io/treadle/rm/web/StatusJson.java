// SPDX-License-Identifier: Apache-2.0
package io.treadle.rm.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.plan.Certificate;
import io.treadle.core.resource.ResourceVector;
import io.treadle.core.wire.NodeRecord;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.rm.bridge.StatusReport;
import io.treadle.rm.history.JobHistory;
import io.treadle.rm.power.JobPower;
import io.treadle.rm.scheduler.PlannerHealth;
import io.treadle.rm.scheduler.QueueAdmission;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The scheduler's state as JSON. The RM registers no provider for plain objects: strings it is. */
final class StatusJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Of the containers of a job in a list of jobs. */
    private static final PageOf IN_LIST = new PageOf(0, 100);

    private StatusJson() {}

    /**
     * @param jobs those of the page
     * @param total how many there are in all
     * @param powerOf what a job has spent, by its application's id
     */
    static String jobs(
            List<StatusReport.Job> jobs,
            PageOf page,
            int total,
            UnaryOperator<String> policyOf,
            Function<String, Optional<JobPower>> powerOf) {
        ObjectNode root = MAPPER.createObjectNode();
        page.put(root, total);
        ArrayNode array = root.putArray("jobs");
        jobs.forEach(job -> put(
                array.addObject(),
                job,
                IN_LIST,
                policyOf.apply(job.gang().queue()),
                powerOf.apply(job.gang().id().toString())));
        return root.toString();
    }

    /**
     * One job with its history.
     *
     * @param containers which of its containers
     */
    static String job(JobAnswer.Found found, PageOf containers) {
        ObjectNode json = put(MAPPER.createObjectNode(), found.job(), containers, found.policy(), found.power());
        json.put("state", found.state());
        found.endMs().ifPresent(end -> json.put("endMs", end).remove(List.of("reason", "startMs")));
        if (!found.trackingUrl().isEmpty()) {
            json.put("trackingUrl", found.trackingUrl());
        }
        ArrayNode sizes = json.putArray("sizes");
        for (JobHistory.Size size : found.history().sizes()) {
            sizes.addObject()
                    .put("atMs", size.atMs())
                    .put("tasks", size.tasks())
                    .put("gpus", size.gpus())
                    .put("vcores", size.vcores());
        }
        ArrayNode speeds = json.putArray("speeds");
        for (JobHistory.Speed speed : found.history().speeds()) {
            speeds.addObject().put("atMs", speed.atMs()).put("samplesPerSecond", speed.samplesPerSecond());
        }
        return json.toString();
    }

    private static ObjectNode put(
            ObjectNode json, StatusReport.Job job, PageOf shown, String policy, Optional<JobPower> power) {
        json.put("applicationId", job.gang().id().toString())
                .put("name", job.gang().name())
                .put("queue", job.gang().queue())
                .put("user", job.gang().user())
                .put("policy", policy)
                .put("state", job.state())
                .put("gang", job.tasks().size() + "/" + job.members())
                .put("reason", job.gang().reason())
                .put("submitMs", job.gang().submitMs())
                .put("modelTag", job.gang().spec().modelTag())
                .put("totalSamples", job.gang().spec().totalSamples());
        job.gang().startMs().ifPresent(start -> json.put("startMs", start));
        job.progress().ifPresent(p -> json.put("samples", p.samples())
                .put("samplesPerSecond", p.samplesPerSecond())
                .put("restarts", p.restarts())
                .put("note", p.note()));
        ArrayNode containers = json.putArray("containers");
        json.put("containersTotal", job.tasks().size());
        for (StatusReport.Task task : shown.of(job.tasks())) {
            ObjectNode item = containers.addObject();
            item.put("containerId", task.containerId())
                    .put("group", task.group())
                    .put("node", task.node())
                    .put("vcores", task.size().vcores())
                    .put("memoryMiB", task.size().memoryMiB())
                    .put("gpus", task.size().gpus())
                    .put("logs", task.logs());
            ArrayNode devices = item.putArray("devices");
            task.devices().forEach(devices::add);
        }
        ArrayNode profile = json.putArray("profile");
        for (ProfileRecord.Point point :
                job.profile().map(ProfileRecord::points).orElse(List.of())) {
            profile.addObject()
                    .put("vcores", point.vcores())
                    .put("samplesPerSecond", point.samplesPerSecond())
                    .put("error", point.error())
                    .put("count", point.count());
        }
        job.profile().ifPresent(p -> {
            json.put("profileJobs", p.jobs());
            p.rmsError().ifPresent(error -> json.put("profileRmsError", error));
        });
        power.ifPresent(p -> PowerJson.putPower(json, p));
        JobText.useful(job).ifPresent(vcores -> json.put("usefulVcores", vcores));
        JobText.usefulMemory(job).ifPresent(memoryMiB -> json.put("usefulMemoryMiB", memoryMiB));
        return json;
    }

    /** @param mayView whether the caller may see a container, by its id */
    static String nodes(List<StatusReport.Node> nodes, PageOf page, Predicate<String> mayView) {
        ObjectNode root = MAPPER.createObjectNode();
        page.put(root, nodes.size());
        ArrayNode array = root.putArray("nodes");
        for (StatusReport.Node node : page.of(nodes)) {
            ObjectNode item = array.addObject();
            item.put("node", node.node()).put("rack", node.rack()).put("httpAddress", node.httpAddress());
            put(item.putObject("capacity"), node.capacity());
            put(item.putObject("used"), node.used());
            put(item.putObject("kept"), node.kept());
            item.put("silentMs", node.silentMs());
            ArrayNode devices = item.putArray("devices");
            for (NodeRecord.Device device : node.devices()) {
                ObjectNode one = devices.addObject();
                one.put("uuid", device.uuid())
                        .put("index", device.index())
                        .put("model", device.model())
                        .put("memoryMiB", device.memoryMiB())
                        .put("simulated", device.simulated())
                        .put("health", device.health().name().toLowerCase(Locale.ROOT))
                        .put("watts", device.watts())
                        .put("capWatts", device.capWatts())
                        .put("utilizationPercent", device.utilizationPercent());
                ArrayNode containers = one.putArray("containers");
                device.containers().stream().filter(mayView).forEach(containers::add);
            }
        }
        return root.toString();
    }

    static String queues(
            List<StatusReport.Queue> queues, UnaryOperator<String> policyOf, List<QueueAdmission> admissions) {
        ObjectNode root = MAPPER.createObjectNode();
        ArrayNode array = root.putArray("queues");
        for (StatusReport.Queue queue : queues) {
            ObjectNode item = array.addObject();
            item.put("name", queue.name())
                    .put("policy", policyOf.apply(queue.name()))
                    .put("waiting", queue.waiting())
                    .put("running", queue.running());
            put(item.putObject("used"), queue.used());
            put(item.putObject("guarantee"), queue.guarantee());
            put(item.putObject("limit"), queue.limit());
            ArrayNode certificates = item.putArray("admission");
            admissions.stream()
                    .filter(admission -> admission.queue().equals(queue.name()))
                    .forEach(admission -> put(certificates.addObject(), admission));
        }
        return root.toString();
    }

    /** @param mayGrow why a job that is too large for the nodes may fit later; empty where it never will */
    static String planner(PlannerHealth.Report planner, Optional<String> mayGrow) {
        return MAPPER.createObjectNode()
                .put("activity", planner.activity())
                .put("busyMs", planner.busyMs())
                .put("stuck", planner.stuck())
                .put("failures", planner.failures())
                .put("lastFailure", planner.lastFailure())
                .put("mayGrow", mayGrow.orElse(""))
                .toString();
    }

    private static void put(ObjectNode json, QueueAdmission admission) {
        Certificate certificate = admission.certificate();
        json.put("partition", admission.partition())
                .put("value", certificate.value())
                .put("bound", certificate.bound())
                .put("gap", certificate.gap())
                .put("finished", certificate.finished());
    }

    private static void put(ObjectNode json, ResourceVector amounts) {
        json.put("gpus", amounts.gpus())
                .put("vcores", amounts.vcores())
                .put("memoryMiB", amounts.memoryMiB())
                .put("gpuMemoryMiB", amounts.gpuMemoryMiB())
                .put("storageMBps", amounts.storageMBps())
                .put("watts", amounts.watts());
    }
}
