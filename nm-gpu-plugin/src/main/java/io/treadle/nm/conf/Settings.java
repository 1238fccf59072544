// SPDX-License-Identifier: Apache-2.0
package io.treadle.nm.conf;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Reads single settings from Hadoop's configuration, each with a complaint that names key, value and the right form. */
final class Settings {
    private final Configuration conf;

    Settings(Configuration conf) {
        this.conf = conf;
    }

    String text(String key) {
        return conf.getTrimmed(key, "");
    }

    String text(String key, String otherwise) {
        String value = text(key);
        return value.isEmpty() ? otherwise : value;
    }

    /** The words of a command, parted by spaces; empty where it is not set. */
    List<String> words(String key) {
        String value = text(key);
        return value.isEmpty() ? List.of() : List.of(value.split("\\s+"));
    }

    Optional<Path> path(String key) {
        String value = text(key);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Path path = Path.of(value.startsWith("file:") ? value.substring("file:".length()) : value);
        if (!path.isAbsolute()) {
            throw new SettingException(key, value, "an absolute path");
        }
        return Optional.of(path);
    }

    long whole(String key, long least, long most, long otherwise) {
        String value = text(key);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Complained about below, as a number out of range is.
        }
        throw new SettingException(key, value, "a whole number from " + least + " to " + most);
    }

    double number(String key, double least, double most, double otherwise) {
        String value = text(key);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Complained about below, as a number out of range is.
        }
        throw new SettingException(key, value, "a number from " + least + " to " + most);
    }

    boolean yesOrNo(String key, boolean otherwise) {
        String value = text(key);
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "" -> otherwise;
            case "true" -> true;
            case "false" -> false;
            default -> throw new SettingException(key, value, "true or false");
        };
    }

    <E extends Enum<E>> E word(String key, Class<E> words, E otherwise) {
        String value = text(key);
        if (value.isEmpty()) {
            return otherwise;
        }
        for (E word : words.getEnumConstants()) {
            if (spell(word).equals(value.toLowerCase(Locale.ROOT))) {
                return word;
            }
        }
        throw new SettingException(
                key,
                value,
                "one of "
                        + Arrays.stream(words.getEnumConstants())
                                .map(Settings::spell)
                                .toList());
    }

    static String spell(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
