// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.query.worker;

import io.treadle.am.query.tensor.Tensor;
import io.treadle.am.query.tensor.TensorSpec;
import java.util.List;
import java.util.Map;

/** A model that is ready to run. */
public interface LoadedModel extends AutoCloseable {
    List<TensorSpec> inputs();

    List<TensorSpec> outputs();

    /**
     * @param inputs by name
     * @return all its outputs, by name
     * @throws ModelException if an input is missing, too many or not what the model takes, or the model fails; a
     *     {@link NoMemoryException} if it fails for want of memory
     */
    Map<String, Tensor> run(Map<String, Tensor> inputs) throws ModelException;

    /** Its memory is free from then on. */
    @Override
    void close();
}
