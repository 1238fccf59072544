// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.launch;

import java.io.FileNotFoundException;
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

    /** @throws IOException if the jar is not there or the directory cannot be read */
    public static Map<String, LocalResource> in(FileSystem fileSystem, Path staging) throws IOException {
        Map<String, LocalResource> resources = new LinkedHashMap<>();
        Path jar = new Path(staging, JAR);
        resources.put(JAR, resource(fileSystem.getFileStatus(jar), LocalResourceType.FILE));
        addAll(fileSystem, new Path(staging, "files"), LocalResourceType.FILE, resources);
        addAll(fileSystem, new Path(staging, "archives"), LocalResourceType.ARCHIVE, resources);
        return resources;
    }

    private static void addAll(
            FileSystem fileSystem, Path directory, LocalResourceType type, Map<String, LocalResource> resources)
            throws IOException {
        try {
            for (FileStatus file : fileSystem.listStatus(directory)) {
                resources.put(file.getPath().getName(), resource(file, type));
            }
        } catch (FileNotFoundException e) {
            // The job ships none of these.
        }
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
