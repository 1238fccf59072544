// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Turns text into a tree of YAML nodes that know their lines. Nothing is ever constructed from the text but that tree,
 * and size, depth and aliases are limited, so that a hostile file costs no more than an ordinary one.
 */
final class YamlDocument {
    static final int MAX_CHARACTERS = 1 << 20;
    private static final int MAX_DEPTH = 20;
    private static final int MAX_ALIASES = 50;

    private YamlDocument() {}

    /** @throws JobSpecException if the text is no single YAML or JSON document within the limits */
    static Node parse(SpecSource source, String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw source.error(
                    1,
                    "the specification has " + text.length() + " characters, must have at most " + MAX_CHARACTERS
                            + ".\nMaybe this is another file than you meant.");
        }
        String readable = readable(text);
        try {
            Node root = compose(readable);
            if (root == null) {
                throw source.error(1, "the specification is empty.\nMaybe begin with 'tasks: {worker: {command: …}}'.");
            }
            return root;
        } catch (ReaderException e) {
            throw source.error(
                    lineAt(readable, e.getPosition()),
                    "character U+" + String.format("%04X", e.getCodePoint())
                            + " may not stand in YAML.\nMaybe the file is not UTF-8 text.",
                    e);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            // Some problems are only the second half of a sentence.
            String problem = String.valueOf(e.getProblem());
            String sentence = problem.startsWith("but ") ? e.getContext() + ", " + problem : problem;
            throw source.error(mark == null ? 1 : mark.getLine() + 1, "this is not YAML: " + sentence + ".", e);
        } catch (YAMLException e) {
            throw source.error(1, "this is not YAML: " + e.getMessage() + ".", e);
        }
    }

    private static @Nullable Node compose(String text) {
        LoaderOptions limits = new LoaderOptions();
        limits.setNestingDepthLimit(MAX_DEPTH);
        limits.setMaxAliasesForCollections(MAX_ALIASES);
        limits.setCodePointLimit(MAX_CHARACTERS);
        return new Composer(new ParserImpl(new StreamReader(text), limits), new Resolver(), limits).getSingleNode();
    }

    /** JSON may be indented by tabs, which YAML forbids; inside JSON's strings they cannot stand. */
    private static String readable(String text) {
        String withoutMark = text.startsWith("\uFEFF") ? text.substring(1) : text;
        return withoutMark.stripLeading().startsWith("{") ? withoutMark.replace('\t', ' ') : withoutMark;
    }

    private static int lineAt(String text, int position) {
        int end = Math.min(Math.max(position, 0), text.length());
        return 1 + (int) text.substring(0, end).chars().filter(c -> c == '\n').count();
    }
}
