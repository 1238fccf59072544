// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import io.treadle.am.model.OnnxScan;
import io.treadle.am.model.UnsafeModelException;
import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorException;
import io.treadle.am.query.tensor.TensorSpec;
import io.treadle.am.query.tensor.TensorType;
import io.treadle.am.query.worker.LoadedModel;
import io.treadle.am.query.worker.ModelException;
import io.treadle.am.query.worker.ModelRuntime;
import io.treadle.am.query.worker.NoMemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ONNX Runtime: on the GPU that the container sees, where the library has been built for one, else on CPUs. */
public final class OnnxRuntime implements ModelRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(OnnxRuntime.class);

    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    private final int threads;
    private final WorkerGpu gpu;

    /** @param threads that a model may use at once */
    public OnnxRuntime(int threads) {
        this(threads, new WorkerGpu(Map.of()));
    }

    OnnxRuntime(int threads, WorkerGpu gpu) {
        this.threads = threads;
        this.gpu = gpu;
        if (gpu.isThere() && !hasGpu()) {
            LOG.warn("this build of ONNX Runtime has no CUDA: models run on CPUs, in the memory of the container");
        }
    }

    @Override
    public long gpuMiB() {
        return gpu.wholeMiB();
    }

    @Override
    public LoadedModel load(String name, Path file) throws ModelException {
        if (!Files.isReadable(file)) {
            throw new ModelException("model '" + name + "': there is no file " + file + " that can be read");
        }
        scan(name, file);
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            if (hasGpu()) {
                useGpu(options);
            }
            OrtSession session = environment.createSession(file.toString(), options);
            try {
                return new Session(name, session);
            } catch (OrtException | ModelException e) {
                session.close();
                throw e;
            }
        } catch (OrtException e) {
            if (MemoryWords.tellOfWant(e)) {
                throw new NoMemoryException("model '" + name + "' cannot be loaded, memory is short: " + line(e), e);
            }
            throw unusable(name, file, line(e), e);
        }
    }

    private static void scan(String name, Path file) throws ModelException {
        try {
            OnnxScan.check(file);
        } catch (UnsafeModelException e) {
            throw unusable(name, file, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ModelException("model '" + name + "': " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static ModelException unusable(String name, Path file, String why, Exception e) {
        return new ModelException("model '" + name + "': " + file + " is no model that can be run: " + why, e);
    }

    private boolean hasGpu() {
        return gpu.isThere() && OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA);
    }

    /** Not run on a real GPU yet. */
    private void useGpu(OrtSession.SessionOptions options) throws OrtException {
        // The container's first: its node shows it no others.
        try (OrtCUDAProviderOptions cuda = new OrtCUDAProviderOptions(0)) {
            if (gpu.limitMiB().isPresent()) {
                // Each model has an arena of its own: one is kept from taking more than all may have. That together
                // they do
                // not is the affair of whoever loads them.
                cuda.add("gpu_mem_limit", Long.toString(gpu.limitMiB().getAsLong() << 20));
            }
            // Else arenas double, and models take far more than they need.
            cuda.add("arena_extend_strategy", "kSameAsRequested");
            options.addCUDA(cuda);
        }
    }

    /** Its messages have several lines. */
    private static String line(OrtException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private final class Session implements LoadedModel {
        private final String name;
        private final OrtSession session;
        private final List<TensorSpec> inputs;
        private final List<TensorSpec> outputs;

        Session(String name, OrtSession session) throws OrtException, ModelException {
            this.name = name;
            this.session = session;
            inputs = specs(session.getInputInfo());
            outputs = specs(session.getOutputInfo());
        }

        private List<TensorSpec> specs(Map<String, NodeInfo> infos) throws ModelException {
            List<TensorSpec> specs = new ArrayList<>();
            for (NodeInfo info : infos.values()) {
                if (!(info.getInfo() instanceof TensorInfo tensor)) {
                    throw new ModelException(
                            "model '" + name + "': '" + info.getName() + "' is no tensor, must be one");
                }
                specs.add(new TensorSpec(
                        info.getName(),
                        type(info.getName(), tensor.type),
                        Arrays.stream(tensor.getShape()).boxed().toList()));
            }
            return List.copyOf(specs);
        }

        private TensorType type(String tensor, OnnxJavaType type) throws ModelException {
            return switch (type) {
                case BOOL -> TensorType.BOOL;
                case UINT8 -> TensorType.UINT8;
                case INT8 -> TensorType.INT8;
                case INT32 -> TensorType.INT32;
                case INT64 -> TensorType.INT64;
                case FLOAT -> TensorType.FP32;
                case DOUBLE -> TensorType.FP64;
                default ->
                    throw new ModelException("model '" + name + "': '" + tensor + "' holds " + type
                            + ", must hold one of " + TensorType.names());
            };
        }

        @Override
        public List<TensorSpec> inputs() {
            return inputs;
        }

        @Override
        public List<TensorSpec> outputs() {
            return outputs;
        }

        @Override
        public Map<String, Tensor> run(Map<String, Tensor> given) throws ModelException {
            check(given);
            Map<String, OnnxTensor> tensors = new HashMap<>();
            try {
                for (Map.Entry<String, Tensor> each : given.entrySet()) {
                    tensors.put(each.getKey(), tensor(each.getValue()));
                }
                try (OrtSession.Result result = session.run(tensors)) {
                    Map<String, Tensor> found = new LinkedHashMap<>();
                    for (TensorSpec output : outputs) {
                        found.put(
                                output.name(),
                                tensor(output, result.get(output.name()).orElseThrow()));
                    }
                    return found;
                }
            } catch (OrtException e) {
                if (MemoryWords.tellOfWant(e)) {
                    throw new NoMemoryException("model '" + name + "' has not the memory to run: " + line(e), e);
                }
                throw new ModelException("model '" + name + "' failed: " + line(e), e);
            } finally {
                tensors.values().forEach(OnnxTensor::close);
            }
        }

        private void check(Map<String, Tensor> given) throws ModelException {
            for (TensorSpec input : inputs) {
                Tensor tensor = given.get(input.name());
                if (tensor == null) {
                    throw new ModelException("model '" + name + "' lacks its input '" + input.name() + "'");
                }
                try {
                    input.check(tensor);
                } catch (TensorException e) {
                    throw new ModelException("model '" + name + "': " + e.getMessage(), e);
                }
            }
            if (given.size() != inputs.size()) {
                List<String> known = inputs.stream().map(TensorSpec::name).toList();
                throw new ModelException("model '" + name + "' is given "
                        + given.keySet().stream()
                                .filter(each -> !known.contains(each))
                                .toList() + ", must be given " + known + " alone");
            }
        }

        private OnnxTensor tensor(Tensor tensor) throws OrtException {
            OnnxJavaType type =
                    switch (tensor.type()) {
                        case BOOL -> OnnxJavaType.BOOL;
                        case UINT8 -> OnnxJavaType.UINT8;
                        case INT8 -> OnnxJavaType.INT8;
                        case INT32 -> OnnxJavaType.INT32;
                        case INT64 -> OnnxJavaType.INT64;
                        case FP32 -> OnnxJavaType.FLOAT;
                        case FP64 -> OnnxJavaType.DOUBLE;
                    };
            // Native code reads it where it is: its order is the machine's, which is little endian wherever this runs.
            ByteBuffer direct = ByteBuffer.allocateDirect(tensor.size()).order(ByteOrder.nativeOrder());
            direct.put(tensor.data()).flip();
            long[] shape = tensor.shape().stream().mapToLong(length -> length).toArray();
            return OnnxTensor.createTensor(environment, direct, shape, type);
        }

        private Tensor tensor(TensorSpec spec, OnnxValue value) throws ModelException {
            OnnxTensor tensor = (OnnxTensor) value;
            ByteBuffer found = tensor.getByteBuffer();
            ByteBuffer own = ByteBuffer.allocate(found.remaining()).put(found).flip();
            try {
                return new Tensor(
                        spec.type(),
                        Arrays.stream(tensor.getInfo().getShape()).boxed().toList(),
                        own);
            } catch (TensorException e) {
                throw new ModelException("model '" + name + "' gave '" + spec.name() + "' that " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            try {
                session.close();
            } catch (OrtException e) {
                throw new IllegalStateException("model '" + name + "' cannot be closed", e);
            }
        }
    }
}
