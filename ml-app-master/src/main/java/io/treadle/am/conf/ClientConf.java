// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.conf;

import io.treadle.core.text.PlainText;
import io.treadle.core.wire.DeviceTag;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** Settings of the client. */
public final class ClientConf {
    /** Directory that holds one directory per job; default {@code .treadle/staging} in the user's home. */
    public static final String STAGING_DIR = "treadle.staging-dir";
    /** Local path of the ApplicationMaster's jar; default the jar that holds the client. */
    public static final String AM_JAR = "treadle.am.jar";
    /** Local path of the jar from which workers of services run models; default {@code treadle-onnx.jar} beside {@link #AM_JAR}. */
    public static final String ONNX_JAR = "treadle.onnx.jar";
    /** Class path entries that the ApplicationMaster gets after the cluster's own. */
    public static final String AM_EXTRA_CLASSPATH = "treadle.am.extra-classpath";
    /** Options for the ApplicationMaster's JVM, beside those that Treadle sets. */
    public static final String AM_JAVA_OPTIONS = "treadle.am.java-options";
    /** How long a failed start of the ApplicationMaster counts against {@code maxAmAttempts}, ms. */
    public static final String AM_FAILURES_VALIDITY_MS = "treadle.am.attempt-failures-validity-ms";
    /** Tags that the application carries beside {@code treadle}, by commas. */
    public static final String APPLICATION_TAGS = "treadle.application-tags";
    /** Who may see the application beside its user and administrators, as YARN's ACLs: users, a blank, groups. */
    public static final String VIEW_ACL = "treadle.acl.view";
    /** Who may end it and move it to another queue beside them. */
    public static final String MODIFY_ACL = "treadle.acl.modify";
    /** How often a followed job is looked at, ms. */
    public static final String POLL_INTERVAL_MS = "treadle.client.poll-interval-ms";
    /** How long the ApplicationMaster's page may take to answer, ms. */
    public static final String STATUS_TIMEOUT_MS = "treadle.client.status-timeout-ms";

    private static final Pattern ACL = Pattern.compile("\\s*|\\*\\s*|[^\\s*]*( +[^\\s*]+)?\\s*");
    private static final int MOST_SHOWN = 200;

    private String stagingDir = "";
    private String amJar = "";
    private String onnxJar = "";
    private String amExtraClasspath = "";
    private String amJavaOptions = "";
    private long amFailuresValidityMs = 600_000;
    private List<String> applicationTags = List.of();
    private String viewAcl = "";
    private String modifyAcl = "";
    private int pollIntervalMs = 1000;
    private int statusTimeoutMs = 2000;

    /** @throws IllegalArgumentException if a setting has no usable value */
    public static ClientConf from(Configuration conf) {
        ClientConf defaults = new ClientConf();
        return new ClientConf()
                .setStagingDir(conf.getTrimmed(STAGING_DIR, defaults.stagingDir))
                .setAmJar(conf.getTrimmed(AM_JAR, defaults.amJar))
                .setOnnxJar(conf.getTrimmed(ONNX_JAR, defaults.onnxJar))
                .setAmExtraClasspath(conf.getTrimmed(AM_EXTRA_CLASSPATH, defaults.amExtraClasspath))
                .setAmJavaOptions(conf.getTrimmed(AM_JAVA_OPTIONS, defaults.amJavaOptions))
                .setAmFailuresValidityMs(
                        whole(conf, AM_FAILURES_VALIDITY_MS, 1000, Long.MAX_VALUE, defaults.amFailuresValidityMs))
                .setApplicationTags(List.copyOf(conf.getTrimmedStringCollection(APPLICATION_TAGS)))
                // A blank at the beginning says that no users are named.
                .setViewAcl(conf.get(VIEW_ACL, defaults.viewAcl))
                .setModifyAcl(conf.get(MODIFY_ACL, defaults.modifyAcl))
                .setPollIntervalMs((int) whole(conf, POLL_INTERVAL_MS, 50, 3_600_000, defaults.pollIntervalMs))
                .setStatusTimeoutMs((int) whole(conf, STATUS_TIMEOUT_MS, 50, 600_000, defaults.statusTimeoutMs));
    }

    private static long whole(Configuration conf, String key, long least, long most, long otherwise) {
        String text = conf.getTrimmed(key, Long.toString(otherwise));
        long value = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    key + " is '" + text + "', must be a whole number from " + least + " to " + most);
        }
        return value;
    }

    public String stagingDir() {
        return stagingDir;
    }

    public ClientConf setStagingDir(String value) {
        stagingDir = value;
        return this;
    }

    public String amJar() {
        return amJar;
    }

    public ClientConf setAmJar(String value) {
        amJar = value;
        return this;
    }

    public String onnxJar() {
        return onnxJar;
    }

    public ClientConf setOnnxJar(String value) {
        onnxJar = value;
        return this;
    }

    public String amExtraClasspath() {
        return amExtraClasspath;
    }

    public ClientConf setAmExtraClasspath(String value) {
        amExtraClasspath = value;
        return this;
    }

    public String amJavaOptions() {
        return amJavaOptions;
    }

    public ClientConf setAmJavaOptions(String value) {
        amJavaOptions = value;
        return this;
    }

    public long amFailuresValidityMs() {
        return amFailuresValidityMs;
    }

    public ClientConf setAmFailuresValidityMs(long value) {
        amFailuresValidityMs = value;
        return this;
    }

    public List<String> applicationTags() {
        return applicationTags;
    }

    /** @throws IllegalArgumentException for a tag that begins as the scheduler's own do */
    public ClientConf setApplicationTags(List<String> value) {
        for (String tag : value) {
            if (tag.startsWith(DeviceTag.RESERVED_PREFIX)) {
                throw new IllegalArgumentException(APPLICATION_TAGS + " holds '" + tag
                        + "', must hold no tag that begins with '" + DeviceTag.RESERVED_PREFIX
                        + "': these are the scheduler's.\nMaybe '"
                        + tag.substring(DeviceTag.RESERVED_PREFIX.length()) + "'.");
            }
        }
        applicationTags = List.copyOf(value);
        return this;
    }

    /** Empty where nobody else is named. */
    public String viewAcl() {
        return viewAcl;
    }

    /** @throws IllegalArgumentException if it has more than a list of users and one of groups */
    public ClientConf setViewAcl(String value) {
        viewAcl = acl(VIEW_ACL, value);
        return this;
    }

    /** Empty where nobody else is named. */
    public String modifyAcl() {
        return modifyAcl;
    }

    /** @throws IllegalArgumentException if it has more than a list of users and one of groups */
    public ClientConf setModifyAcl(String value) {
        modifyAcl = acl(MODIFY_ACL, value);
        return this;
    }

    private static String acl(String key, String value) {
        if (!ACL.matcher(value).matches()) {
            throw new IllegalArgumentException(key + " is '" + PlainText.line(value, MOST_SHOWN)
                    + "', must be users by commas, then a blank and groups by commas, as in 'ann,bob staff', or '*'");
        }
        return value.isBlank() ? "" : value.stripTrailing();
    }

    public int pollIntervalMs() {
        return pollIntervalMs;
    }

    public ClientConf setPollIntervalMs(int value) {
        pollIntervalMs = value;
        return this;
    }

    public int statusTimeoutMs() {
        return statusTimeoutMs;
    }

    public ClientConf setStatusTimeoutMs(int value) {
        statusTimeoutMs = value;
        return this;
    }
}
