// SPDX-License-Identifier: Apache-2.0
package io.treadle.simulator.input;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadCapability;
import com.fasterxml.jackson.core.util.JacksonFeatureSet;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Files of JSON, one value or several after each other, of which only what is asked for is in memory. */
public final class JsonFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JacksonFeatureSet<StreamReadCapability> REPEATED_FIELDS = JacksonFeatureSet.fromDefaults(
                    StreamReadCapability.values())
            .with(StreamReadCapability.DUPLICATE_PROPERTIES);
    private static final int SHOWN = 60;

    /** Walks through a file's tokens. */
    public interface Walk {
        void through(JsonParser parser) throws IOException;
    }

    private JsonFile() {}

    /**
     * A field that an object has twice or more becomes a list of its values: answers of Hadoop before 3.5 are written so.
     *
     * @throws InputException if the file cannot be read or is no JSON
     */
    public static void walk(Path file, Walk walk) {
        try (Reader text = TextFiles.open(file);
                JsonParser parser = new Repeating(JSON.getFactory().createParser(text))) {
            parser.setCodec(JSON);
            walk.through(parser);
        } catch (JsonProcessingException e) {
            throw new InputException(
                    file
                            + (e.getLocation() == null
                                    ? ""
                                    : ", line " + e.getLocation().getLineNr()) + ": is no JSON: "
                            + e.getOriginalMessage() + ".",
                    e);
        } catch (IOException e) {
            throw new InputException(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** All objects that stand in the file one after the other, each as a whole. */
    public static void objects(Path file, Consumer<JsonNode> consumer) {
        walk(file, parser -> {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token != JsonToken.START_OBJECT) {
                    throw unexpected(file, parser, "an object: {…}");
                }
                consumer.accept(parser.readValueAsTree());
            }
        });
    }

    /** The error that the parser's token is not what is expected. */
    public static InputException unexpected(Path file, JsonParser parser, String expected) throws IOException {
        return new InputException(
                file + ", line " + parser.currentTokenLocation().getLineNr() + ": is '" + cut(parser.getText())
                        + "', must be " + expected + ".");
    }

    /** A text short enough for a message. */
    public static String cut(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    private static final class Repeating extends JsonParserDelegate {
        Repeating(JsonParser parser) {
            super(parser);
        }

        @Override
        public JacksonFeatureSet<StreamReadCapability> getReadCapabilities() {
            return REPEATED_FIELDS;
        }
    }
}
