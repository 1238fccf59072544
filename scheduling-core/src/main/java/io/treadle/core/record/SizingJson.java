// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.treadle.core.job.ServerVcores;
import io.treadle.core.job.Sizing;
import io.treadle.core.job.Utility;
import io.treadle.core.model.ps.PsModels;
import io.treadle.core.model.ps.PsSize;
import io.treadle.core.wire.Fields;
import io.treadle.core.wire.ServersModel;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What a job's end is worth and how fast it is with which numbers of workers and servers, in {@link SnapshotRecord}. */
final class SizingJson {
    private SizingJson() {}

    static void put(ObjectNode json, Sizing sizing) {
        Utility utility = sizing.utility();
        json.put("weight", utility.weight()).put("decayPerHour", utility.decayPerHour());
        utility.targetHours().ifPresent(hours -> json.put("targetHours", hours));
        sizing.cap().ifPresent(cap -> ResourceJson.put(json, "cap", cap));
        sizing.model().ifPresent(model -> PsModels.wire(model).putInto(json.putObject("model")));
        sizing.probe()
                .ifPresent(size ->
                        json.putObject("probe").put("workers", size.workers()).put("servers", size.servers()));
        sizing.servers().ifPresent(servers -> {
            ObjectNode use = json.putObject("servers").put("eachVcores", servers.each());
            servers.most().ifPresent(most -> use.put("mostVcores", most));
        });
    }

    static Sizing read(Fields json) {
        return new Sizing(
                new Utility(
                        json.number("weight", Double.MIN_VALUE, Double.MAX_VALUE),
                        json.number("decayPerHour", 0, Double.MAX_VALUE),
                        json.has("targetHours")
                                ? OptionalDouble.of(json.number("targetHours", 0, Double.MAX_VALUE))
                                : OptionalDouble.empty()),
                json.has("model")
                        ? Optional.of(PsModels.model(ServersModel.from(json.object("model"))))
                        : Optional.empty(),
                json.has("cap") ? Optional.of(ResourceJson.read(json, "cap")) : Optional.empty(),
                json.has("probe") ? Optional.of(size(json.object("probe"))) : Optional.empty(),
                json.has("servers") ? Optional.of(servers(json.object("servers"))) : Optional.empty());
    }

    private static ServerVcores servers(Fields json) {
        return new ServerVcores(
                json.integer("eachVcores", 1, Long.MAX_VALUE),
                json.has("mostVcores")
                        ? OptionalLong.of(json.integer("mostVcores", 1, Long.MAX_VALUE))
                        : OptionalLong.empty());
    }

    private static PsSize size(Fields json) {
        return new PsSize((int) json.integer("workers", 1, Integer.MAX_VALUE), (int)
                json.integer("servers", 1, Integer.MAX_VALUE));
    }
}
