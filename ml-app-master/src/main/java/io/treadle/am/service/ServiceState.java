// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.treadle.am.query.master.ModelFacts;
import io.treadle.core.wire.WireFormatException;
import java.util.List;

/**
 * What a service's next ApplicationMaster has to know, {@code am-state.json} in the staging directory.
 *
 * @param wanted how many workers there are to be
 * @param models what they are and take; empty until they have been measured
 */
record ServiceState(int schema, int wanted, List<SavedWorker> workers, List<ModelFacts> models) {
    static final int SCHEMA = 1;

    private static final ObjectMapper JSON = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

    ServiceState {
        workers = List.copyOf(workers);
        models = List.copyOf(models);
    }

    String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a state cannot be written", e);
        }
    }

    /** @throws WireFormatException if the text is no such record */
    static ServiceState fromJson(String text) {
        try {
            ServiceState state = JSON.readValue(text, ServiceState.class);
            if (state.schema() > SCHEMA) {
                throw new WireFormatException(
                        "am-state.json has schema " + state.schema() + ", this Treadle reads up to " + SCHEMA);
            }
            return state;
        } catch (JsonProcessingException e) {
            throw new WireFormatException("am-state.json is no state of a service: " + e.getOriginalMessage(), e);
        }
    }
}
