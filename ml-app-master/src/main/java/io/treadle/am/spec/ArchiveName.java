// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.spec;

import io.treadle.am.spec.JobSpec.FileSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The names that archives have in a job's staging directory. YARN knows by a file's ending how to unpack it. */
public final class ArchiveName {
    /** What YARN unpacks; longer endings first. */
    static final List<String> ENDINGS = List.of(".tar.gz", ".tgz", ".tar", ".zip", ".jar");

    private ArchiveName() {}

    static Optional<String> endingOf(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return ENDINGS.stream().filter(name::endsWith).findFirst();
    }

    /** The link, with the archive's ending where the link lacks it: {@code src.tar.gz} for {@code code.tar.gz#src}. */
    public static String staged(FileSpec archive) {
        String ending = endingOf(archive.path()).orElse("");
        return archive.link().toLowerCase(Locale.ROOT).endsWith(ending) ? archive.link() : archive.link() + ending;
    }
}
