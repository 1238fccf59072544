// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.JobSpec.FileSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code files} and {@code archives}: lists of {@code path} or {@code path#link}. */
final class FilesReader {
    private static final Pattern LINK = Pattern.compile("[A-Za-z0-9_@%+=:,.~ -]{1,255}");

    /** Names that YARN or Treadle put into a container's working directory. */
    private static final Set<String> TAKEN = Set.of(
            ".",
            "..",
            "treadle-am.jar",
            "job.json",
            "treadle-client.xml",
            "container_tokens",
            "launch_container.sh",
            "default_container_executor.sh",
            "default_container_executor_session.sh",
            "tmp");

    private final Set<String> links;

    /** @param links names that are taken; grows with every file read */
    FilesReader(Set<String> links) {
        this.links = links;
    }

    List<FileSpec> read(YamlFields owner, String name) {
        List<FileSpec> files = new ArrayList<>();
        owner.find(name).ifPresent(value -> {
            for (YamlValue item : value.list("a list of paths")) {
                files.add(read(item));
            }
        });
        return files;
    }

    List<FileSpec> readArchives(YamlFields owner, String name) {
        List<FileSpec> archives = read(owner, name);
        for (FileSpec archive : archives) {
            if (ArchiveName.endingOf(archive.path()).isEmpty()) {
                throw owner.require(name, "")
                        .error("names " + SpecSource.quote(archive.path()) + ", must name archives that end in "
                                + String.join(", ", ArchiveName.ENDINGS) + ".\nMaybe list it under 'files'.");
            }
        }
        return archives;
    }

    /** A name that will do, where the given one holds something to make it from. */
    private static String advice(String path, String link) {
        String plain = link.replaceAll("[^A-Za-z0-9._]+", "-").replaceAll("^-+|-+$", "");
        return path.isEmpty() || plain.isEmpty() || plain.length() > 255 ? "" : "\nMaybe '" + path + "#" + plain + "'.";
    }

    private FileSpec read(YamlValue item) {
        String text = item.text();
        if (text.isBlank() || text.chars().anyMatch(Character::isISOControl)) {
            throw item.error("is " + SpecSource.quote(text) + ", must be a path, or path#link.");
        }
        int hash = text.lastIndexOf('#');
        String path = hash < 0 ? text : text.substring(0, hash);
        String link = hash < 0 ? path.substring(path.lastIndexOf('/') + 1) : text.substring(hash + 1);
        if (path.isEmpty() || !LINK.matcher(link).matches()) {
            throw item.error(
                    "is " + SpecSource.quote(text) + ", must be a path to a file, or path#link where the link is"
                            + " one name of ASCII letters, digits, '.', '-' and '_'." + advice(path, link));
        }
        if (TAKEN.contains(link)) {
            throw item.error(
                    "would be named '" + link + "' in the working directory, where that name is taken.\nMaybe '" + path
                            + "#my-" + link.replace("..", "").replace(".", "-") + "'.");
        }
        if (!links.add(link)) {
            throw item.error("would be named '" + link + "' in the working directory, as another one.\nMaybe '" + path
                    + "#other-" + link + "'.");
        }
        return new FileSpec(path, link);
    }
}
