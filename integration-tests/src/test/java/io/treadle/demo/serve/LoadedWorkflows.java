// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import static java.util.Objects.requireNonNull;

import io.treadle.am.query.onnx.OnnxRuntime;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.query.worker.LoadedModel;
import io.treadle.am.query.worker.ModelException;
import io.treadle.am.spec.ServiceSpec;
import io.treadle.am.spec.ServiceSpec.ModelSpec;
import io.treadle.am.spec.ServiceSpec.Source;
import io.treadle.am.spec.ServiceSpec.TaskSpec;
import io.treadle.am.spec.ServiceSpec.WorkflowSpec;
import io.treadle.am.spec.ServiceSpecParser;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All models of a service in ONNX Runtime, and its workflows run task by task, as its specification has them. */
final class LoadedWorkflows implements AutoCloseable {
    private final Map<String, LoadedModel> models = new HashMap<>();
    private final ServiceSpec service;

    LoadedWorkflows(Path file) throws IOException, ModelException {
        service = ServiceSpecParser.fromYaml(String.valueOf(file.getFileName()), Files.readString(file));
        OnnxRuntime runtime = new OnnxRuntime(1);
        for (ModelSpec model : service.models()) {
            models.put(model.name(), runtime.load(model.name(), Path.of(URI.create(model.file()))));
        }
    }

    ServiceSpec service() {
        return service;
    }

    /** @return the workflow's outputs, for as many images as there are */
    Map<String, Tensor> run(String name, float[][] images) throws Exception {
        WorkflowSpec workflow = service.workflows().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return run(workflow, Map.of("image", tensor(images)));
    }

    Map<String, Tensor> run(WorkflowSpec workflow, Map<String, Tensor> inputs) throws ModelException {
        Map<String, Tensor> there = new HashMap<>(inputs);
        for (TaskSpec task : workflow.tasks()) {
            LoadedModel model = requireNonNull(models.get(task.model()));
            Map<String, Tensor> outputs;
            // A model runs one task at a time.
            synchronized (model) {
                outputs = model.run(gathered(task.inputs(), there));
            }
            outputs.forEach((output, tensor) -> there.put(task.name() + "." + output, tensor));
        }
        return gathered(workflow.outputs(), there);
    }

    private static Map<String, Tensor> gathered(Map<String, Source> wanted, Map<String, Tensor> there) {
        Map<String, Tensor> gathered = new HashMap<>();
        wanted.forEach((name, source) -> gathered.put(name, requireNonNull(there.get(source.toString()))));
        return gathered;
    }

    private static Tensor tensor(float[][] images) throws Exception {
        ByteBuffer data = ByteBuffer.allocate(4 * Digits.PIXELS * images.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float[] image : images) {
            for (float pixel : image) {
                data.putFloat(pixel);
            }
        }
        return new Tensor(TensorType.FP32, List.of((long) images.length, (long) Digits.PIXELS), data.flip());
    }

    /** The part of the images of which it says what it should. */
    double accuracy(WorkflowMix mix, Digits digits, boolean withNoise) throws Exception {
        float[][] images = digits.images();
        for (int i = 0; withNoise && i < images.length; i++) {
            images[i] = Noise.on(images[i], i);
        }
        ByteBuffer said =
                requireNonNull(run(mix.workflow(), images).get(mix.output())).data();
        double right = 0;
        for (int i = 0; i < digits.count(); i++) {
            right += said.getLong() == mix.expected(digits.label(i)) ? 1 : 0;
        }
        return right / digits.count();
    }

    @Override
    public void close() {
        models.values().forEach(LoadedModel::close);
    }
}
