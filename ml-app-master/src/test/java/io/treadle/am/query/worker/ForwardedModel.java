// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import java.util.List;
import java.util.Map;

/** A model as another one is, for tests that change a part of it. */
public class ForwardedModel implements LoadedModel {
    private final LoadedModel model;

    protected ForwardedModel(LoadedModel model) {
        this.model = model;
    }

    @Override
    public List<TensorSpec> inputs() {
        return model.inputs();
    }

    @Override
    public List<TensorSpec> outputs() {
        return model.outputs();
    }

    @Override
    public Map<String, Tensor> run(Map<String, Tensor> inputs) throws ModelException {
        return model.run(inputs);
    }

    @Override
    public void close() {
        model.close();
    }
}
