// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.launch;

import io.treadle.am.spec.ArchiveName;
import io.treadle.am.spec.JobSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;

/** What a worker's container finds in its working directory, from the job's staging directory. */
public final class StagedFiles {
    public static final String JAR = "treadle-am.jar";

    private StagedFiles() {}

    /** @throws IOException if the jar or a file of the job is not there */
    public static Map<String, LocalResource> of(JobSpec spec, FileSystem fileSystem, Path staging) throws IOException {
        Map<String, LocalResource> resources = new LinkedHashMap<>();
        resources.put(JAR, resource(fileSystem.getFileStatus(new Path(staging, JAR)), LocalResourceType.FILE));
        for (JobSpec.FileSpec file : spec.files()) {
            Path staged = new Path(new Path(staging, "files"), file.link());
            resources.put(file.link(), resource(fileSystem.getFileStatus(staged), LocalResourceType.FILE));
        }
        for (JobSpec.FileSpec archive : spec.archives()) {
            Path staged = new Path(new Path(staging, "archives"), ArchiveName.staged(archive));
            resources.put(archive.link(), resource(fileSystem.getFileStatus(staged), LocalResourceType.ARCHIVE));
        }
        return resources;
    }

    private static LocalResource resource(FileStatus file, LocalResourceType type) {
        return LocalResource.newInstance(
                URL.fromPath(file.getPath()),
                type,
                LocalResourceVisibility.APPLICATION,
                file.getLen(),
                file.getModificationTime());
    }
}
