// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.model.OnnxScan;
import io.treadle.am.model.UnsafeModelException;
import io.treadle.am.spec.JobSpec;
import io.treadle.am.spec.JobSpec.FileSpec;
import io.treadle.am.spec.ServiceSpec.ModelSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The user's files and archives, before they are uploaded. A path without scheme is a local one. */
final class UserFiles {
    private final Configuration conf;

    UserFiles(Configuration conf) {
        this.conf = conf;
    }

    Path resolve(String path) throws IOException {
        Path given = new Path(path);
        return given.toUri().getScheme() == null ? FileSystem.getLocal(conf).makeQualified(given) : given;
    }

    /** @throws ClientException if one cannot be read */
    void check(JobSpec spec) {
        check("files", spec.files());
        check("archives", spec.archives());
    }

    /** @throws ClientException if a model cannot be read */
    void check(ServiceFile service) {
        for (ModelSpec model : service.spec().models()) {
            String field = "models." + model.name() + ".file";
            check(field, service.path(model));
            scan(field, service.path(model));
        }
    }

    /** Of those on this machine: each worker does it before it loads one. */
    private void scan(String field, String path) {
        try {
            Path source = resolve(path);
            if (source.getFileSystem(conf) instanceof LocalFileSystem files) {
                OnnxScan.check(files.pathToFile(source).toPath());
            }
        } catch (UnsafeModelException e) {
            throw new ClientException(
                    "'" + path + "' of '" + field + "' is no model that can be run: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new ClientException("'" + path + "' of '" + field + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private void check(String field, List<FileSpec> files) {
        for (FileSpec file : files) {
            check(field, file.path());
        }
    }

    private void check(String field, String path) {
        try {
            Path source = resolve(path);
            FileStatus status = source.getFileSystem(conf).getFileStatus(source);
            if (status.isDirectory()) {
                throw new ClientException("'" + path + "' of '" + field + "' is a directory, must be a file."
                        + (field.equals("files") ? "\nMaybe pack it and list it under 'archives'." : ""));
            }
            source.getFileSystem(conf).open(source).close();
        } catch (FileNotFoundException e) {
            throw new ClientException(
                    "'" + path + "' of '" + field + "' " + reason(e)
                            + ".\nMaybe check the path: a relative one starts at the directory of the file that names it, on a"
                            + " command line at the current one.",
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClientException("'" + path + "' of '" + field + "' cannot be read: " + e.getMessage(), e);
        }
    }

    /** Java reports a file that may not be read as one that is not found. */
    private static String reason(FileNotFoundException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("Permission denied") ? "may not be read: " + message : "does not exist";
    }
}
