// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.am.conf.ClientConf;
import io.treadle.am.spec.JobSpec.FileSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** One job's directory on the cluster's file system, which only its user may read. */
final class StagingDirectory {
    static final String AM_JAR = "treadle-am.jar";
    static final String JOB = "job.json";
    static final String CLIENT_CONF = "treadle-client.xml";

    private static final String CHECKPOINTS = "checkpoints";
    /** Written again and again while the client is at work, so that others see that it is. */
    private static final String UPLOADING = "uploading";

    private static final FsPermission PRIVATE = new FsPermission((short) 0700);

    private final Configuration conf;
    private final FileSystem files;
    private final Path directory;

    private StagingDirectory(Configuration conf, FileSystem files, Path directory) {
        this.conf = conf;
        this.files = files;
        this.directory = directory;
    }

    /** Names the directory; nothing is created yet. */
    static StagingDirectory of(Configuration conf, ClientConf settings, ApplicationId id) throws IOException {
        Path parent = settings.stagingDir().isEmpty()
                ? new Path(FileSystem.get(conf).getHomeDirectory(), ".treadle/staging")
                : new Path(settings.stagingDir());
        FileSystem files = parent.getFileSystem(conf);
        return new StagingDirectory(conf, files, files.makeQualified(new Path(parent, id.toString())));
    }

    /** The directories of this user's jobs, this one among them. What others have put beside them is not looked at. */
    List<FileStatus> siblings() throws IOException {
        Path parent = directory.getParent();
        String owner = files.getFileStatus(directory).getOwner();
        return parent == null
                ? List.of()
                : Arrays.stream(files.listStatus(parent))
                        .filter(each -> each.isDirectory() && each.getOwner().equals(owner))
                        .toList();
    }

    StagingDirectory sibling(Path path) {
        return new StagingDirectory(conf, files, path);
    }

    Path path() {
        return directory;
    }

    FileSystem fileSystem() {
        return files;
    }

    void create() throws IOException {
        Path parent = directory.getParent();
        boolean isNew = parent == null || !files.exists(parent);
        if (parent != null && isNew) {
            files.mkdirs(parent, PRIVATE);
            files.setPermission(parent, PRIVATE);
        }
        if (files.exists(directory)) {
            throw new IOException("staging directory " + directory + " is there already");
        }
        files.mkdirs(directory, PRIVATE);
        // mkdirs applies the umask; the directory must be private whatever that is.
        files.setPermission(directory, PRIVATE);
        if (!isNew) {
            checkParent(files.getFileStatus(parent));
        }
        showLife();
    }

    /**
     * The owner of the directory above, and all who may write to it where it has no sticky bit, can put another in the place of the
     * job's, with other files to run.
     */
    private void checkParent(FileStatus parent) throws IOException {
        if (!files.hasPathCapability(parent.getPath(), CommonPathCapabilities.FS_PERMISSIONS)) {
            // As object stores are: nobody is told apart there.
            return;
        }
        FsPermission mode = parent.getPermission();
        boolean isOpen = mode.getGroupAction().implies(FsAction.WRITE)
                || mode.getOtherAction().implies(FsAction.WRITE);
        // As this file system calls the one who has just made it: that may be no name that Hadoop knows.
        String user = files.getFileStatus(directory).getOwner();
        boolean isTrusted = parent.getOwner().equals(user)
                || parent.getOwner().equals(files.getFileStatus(new Path("/")).getOwner());
        if (!isTrusted || (isOpen && !mode.getStickyBit())) {
            files.delete(directory, true);
            throw new IOException("directory " + parent.getPath() + " for staging belongs to " + parent.getOwner()
                    + " and has the permissions " + mode
                    + ": others could put files of theirs in the place of the job's.\nIt must belong to " + user
                    + " or to whom '/' belongs, and be writable for others with the sticky bit alone (1777)");
        }
    }

    /** Says by the file system's own clock that a client is at work here. */
    void showLife() throws IOException {
        // Makes no directory: this one may just have been deleted.
        files.createFile(new Path(directory, UPLOADING)).overwrite(true).build().close();
    }

    /** When a client was last seen at work here, ms since the epoch by the file system's clock. */
    long lastLifeMs() throws IOException {
        long ms = files.getFileStatus(directory).getModificationTime();
        Path uploading = new Path(directory, UPLOADING);
        return files.exists(uploading)
                ? Math.max(ms, files.getFileStatus(uploading).getModificationTime())
                : ms;
    }

    /** Whether all that is left are checkpoints, which are the user's to remove. */
    boolean holdsCheckpointsAlone() throws IOException {
        FileStatus[] left = files.listStatus(directory);
        return left.length == 1 && left[0].getPath().getName().equals(CHECKPOINTS) && hasCheckpoints();
    }

    /**
     * Whether its job was submitted to another YARN cluster, whose users' homes are on the same file system. A client that
     * was killed before it said so had submitted nothing.
     */
    boolean isOfAnotherCluster() throws IOException {
        Path submitted = new Path(directory, CLIENT_CONF);
        if (!files.exists(submitted)) {
            return false;
        }
        Configuration other = new Configuration(false);
        try (InputStream in = files.open(submitted)) {
            other.addResource(in);
            return !cluster(other).equals(cluster(conf));
        }
    }

    /** What tells a client's YARN cluster from others. */
    private static Map<String, String> cluster(Configuration conf) {
        List<String> keys = new ArrayList<>(
                List.of(YarnConfiguration.RM_CLUSTER_ID, YarnConfiguration.RM_HOSTNAME, YarnConfiguration.RM_ADDRESS));
        for (String id : conf.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS)) {
            keys.add(YarnConfiguration.RM_HOSTNAME + "." + id);
            keys.add(YarnConfiguration.RM_ADDRESS + "." + id);
        }
        Map<String, String> cluster = new TreeMap<>();
        keys.forEach(key -> cluster.put(key, conf.getTrimmed(key, "")));
        return cluster;
    }

    LocalResource putLocal(java.nio.file.Path source, String name) throws IOException {
        Path target = new Path(directory, name);
        try (InputStream in = java.nio.file.Files.newInputStream(source);
                OutputStream out = files.create(target, false)) {
            in.transferTo(out);
        }
        return resource(target);
    }

    LocalResource put(byte[] content, String name) throws IOException {
        Path target = new Path(directory, name);
        try (OutputStream out = files.create(target, false)) {
            out.write(content);
        }
        return resource(target);
    }

    LocalResource put(String text, String name) throws IOException {
        return put(text.getBytes(StandardCharsets.UTF_8), name);
    }

    /** Uploads a file of the user's to {@code folder/name}. */
    void putUser(UserFiles userFiles, FileSpec file, String folder, String name) throws IOException {
        Path source = userFiles.resolve(file.path());
        Path target = new Path(directory, folder + "/" + name);
        files.mkdirs(target.getParent(), PRIVATE);
        FileUtil.copy(source.getFileSystem(conf), source, files, target, false, conf);
    }

    private LocalResource resource(Path target) throws IOException {
        FileStatus status = files.getFileStatus(target);
        return LocalResource.newInstance(
                URL.fromPath(status.getPath()),
                LocalResourceType.FILE,
                LocalResourceVisibility.APPLICATION,
                status.getLen(),
                status.getModificationTime());
    }

    /** Removes the directory with all it holds; does nothing if there is none. */
    void delete() throws IOException {
        files.delete(directory, true);
    }

    /** What {@link #delete} does, but checkpoints of a job that failed stay, so that another can start from them. */
    void deleteAfter(boolean succeeded) throws IOException {
        if (!succeeded && hasCheckpoints()) {
            for (FileStatus file : files.listStatus(directory)) {
                if (!file.getPath().getName().equals(CHECKPOINTS)) {
                    files.delete(file.getPath(), true);
                }
            }
        } else {
            delete();
        }
    }

    private boolean hasCheckpoints() throws IOException {
        Path checkpoints = new Path(directory, CHECKPOINTS);
        return files.exists(checkpoints) && files.listStatus(checkpoints).length > 0;
    }
}
