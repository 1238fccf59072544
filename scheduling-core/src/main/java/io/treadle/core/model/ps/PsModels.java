// SPDX-License-Identifier: Apache-2.0
package io.treadle.core.model.ps;

import io.treadle.core.model.ps.LayeredPsModel.Mode;
import io.treadle.core.model.ps.LayeredPsModel.Overlap;
import io.treadle.core.wire.ProfileServers;
import io.treadle.core.wire.ServersModel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Models of workers and servers as they cross processes. */
public final class PsModels {
    private PsModels() {}

    public static LayeredPsModel model(ServersModel wire) {
        Mode mode = Mode.valueOf(wire.mode().name());
        if (wire.shape() instanceof ServersModel.Layered layered) {
            return new LayeredPsModel(
                    layered.layers().stream().map(PsModels::layer).toList(),
                    new ServerLinks(
                            layered.workerBytesPerSecond(),
                            layered.serverBytesPerSecond(),
                            layered.updateSecondsPerByte(),
                            layered.workerSeconds(),
                            layered.serverSeconds()),
                    mode,
                    Overlap.valueOf(wire.overlap().name()),
                    wire.batch());
        }
        ServersModel.Fitted fitted = (ServersModel.Fitted) wire.shape();
        return LayeredPsModel.ofWhole(
                fitted.compute(),
                fitted.fixed(),
                fitted.exchange(),
                fitted.perWorker(),
                fitted.perServer(),
                mode,
                wire.batch());
    }

    private static Layer layer(ServersModel.Layer layer) {
        return new Layer(
                layer.forwardSecondsPerSample(),
                layer.backwardSecondsPerSample(),
                layer.forwardSeconds(),
                layer.backwardSeconds(),
                layer.gradientBytes());
    }

    public static ServersModel wire(LayeredPsModel model) {
        return new ServersModel(
                ServersModel.Mode.valueOf(model.mode().name()),
                ServersModel.Overlap.valueOf(model.overlap().name()),
                model.batch(),
                model.isWhole() ? fitted(model) : layered(model));
    }

    private static ServersModel.Fitted fitted(LayeredPsModel model) {
        Layer whole = model.layers().get(0);
        return new ServersModel.Fitted(
                whole.backwardSecondsPerSample(),
                whole.backwardSeconds(),
                whole.gradientBytes(),
                model.links().workerSeconds(),
                model.links().serverSeconds());
    }

    private static ServersModel.Layered layered(LayeredPsModel model) {
        ServerLinks links = model.links();
        return new ServersModel.Layered(
                model.layers().stream()
                        .map(layer -> new ServersModel.Layer(
                                layer.forwardSecondsPerSample(),
                                layer.backwardSecondsPerSample(),
                                layer.forwardSeconds(),
                                layer.backwardSeconds(),
                                layer.gradientBytes()))
                        .toList(),
                links.workerBytesPerSecond(),
                links.serverBytesPerSecond(),
                links.updateSecondsPerByte(),
                links.workerSeconds(),
                links.serverSeconds());
    }

    /** What was fitted to measurements, with these. */
    public static ProfileServers wire(PsFit fit, List<PsSample> samples) {
        return new ProfileServers(wire(fit.model()), wire(samples), told(fit.error()), told(fit.noise()));
    }

    private static OptionalDouble told(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** Measurements that do not tell enough yet, and the size that is to be measured next. */
    public static ProfileServers wire(List<PsSample> samples, Mode mode, double batch, PsSize next) {
        return new ProfileServers(
                ServersModel.Mode.valueOf(mode.name()),
                batch,
                Optional.empty(),
                wire(samples),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.of(new ProfileServers.Size(next.workers(), next.servers())),
                OptionalLong.empty());
    }

    private static List<ProfileServers.Sample> wire(List<PsSample> samples) {
        return samples.stream()
                .map(sample -> new ProfileServers.Sample(
                        sample.size().workers(),
                        sample.size().servers(),
                        sample.seconds(),
                        told(sample.relativeError())))
                .toList();
    }

    public static List<PsSample> samples(ProfileServers wire) {
        return wire.samples().stream()
                .map(sample -> new PsSample(
                        new PsSize(sample.workers(), sample.servers()),
                        sample.seconds(),
                        sample.error().orElse(Double.NaN)))
                .toList();
    }
}
