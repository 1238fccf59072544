// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.process;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** An application's staging directory, and the record that is kept of it. */
public final class Staging {
    public static final String ENV = "TREADLE_APP_STAGING";
    static final String HISTORY_DIR = "treadle.history-dir";
    private static final String STATE = "am-state.json";

    private final Configuration configuration;
    private final Path directory;
    private final FileSystem fileSystem;

    public Staging(Configuration configuration, Path directory) throws IOException {
        this.configuration = configuration;
        this.directory = directory;
        this.fileSystem = directory.getFileSystem(configuration);
    }

    public FileSystem fileSystem() {
        return fileSystem;
    }

    public Path directory() {
        return directory;
    }

    /** The state that an earlier ApplicationMaster left; empty where there is none. */
    public Optional<String> state() throws IOException {
        return read(new Path(directory, STATE));
    }

    public void writeState(String text) throws IOException {
        replace(fileSystem, new Path(directory, STATE), text);
    }

    private Optional<String> read(Path file) throws IOException {
        try (var in = fileSystem.open(file)) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** The directory for checkpoints as workers name it: a plain path on a local or mounted file system, else a URI. */
    public String checkpointDir(Optional<String> fromSpec) throws IOException {
        if (fromSpec.isPresent() && !fromSpec.get().contains(":/")) {
            return fromSpec.get();
        }
        Path checkpoints = fromSpec.isPresent() ? new Path(fromSpec.get()) : new Path(directory, "checkpoints");
        checkpoints.getFileSystem(configuration).mkdirs(checkpoints, FsPermission.valueOf("drwx------"));
        Path qualified = checkpoints.getFileSystem(configuration).makeQualified(checkpoints);
        return "file".equals(qualified.toUri().getScheme()) ? qualified.toUri().getPath() : qualified.toString();
    }

    /** Keeps the job's record, by default beside the staging directories in the user's home. */
    public void writeRecord(String applicationId, String json) throws IOException {
        String configured = configuration.getTrimmed(HISTORY_DIR, "");
        Path history;
        if (configured.isEmpty()) {
            Path root =
                    directory.getParent() == null ? null : directory.getParent().getParent();
            history = new Path(root == null ? directory.getParent() : root, "history");
        } else {
            history = new Path(configured);
        }
        FileSystem target = history.getFileSystem(configuration);
        if (!target.exists(history)) {
            target.mkdirs(history, FsPermission.valueOf("drwxr-x---"));
        }
        replace(target, new Path(history, applicationId + ".json"), json);
    }

    /** A file that the client left; empty where there is none. */
    public Optional<String> text(String name) throws IOException {
        return read(new Path(directory, name));
    }

    /** Removes everything on success; after a failure the checkpoints stay. */
    public void clean(boolean succeeded) throws IOException {
        if (succeeded) {
            fileSystem.delete(directory, true);
            return;
        }
        for (var file : fileSystem.listStatus(directory)) {
            if (!file.getPath().getName().equals("checkpoints")) {
                fileSystem.delete(file.getPath(), true);
            }
        }
        Path checkpoints = new Path(directory, "checkpoints");
        if (!fileSystem.exists(checkpoints) || fileSystem.listStatus(checkpoints).length == 0) {
            fileSystem.delete(directory, true);
        }
    }

    private void replace(FileSystem target, Path file, String text) throws IOException {
        FileContext context = FileContext.getFileContext(target.getUri(), configuration);
        Path draft = file.suffix(".tmp");
        try (OutputStream out = context.create(draft, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        context.rename(draft, file, Options.Rename.OVERWRITE);
    }
}
