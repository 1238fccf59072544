// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** MapReduce's example as others run it on the same cluster: a map for each text, two reduces, a shuffle between them. */
final class MapReduceJob {
    private static final int REDUCES = 2;

    private final Job job;
    private final Path output;

    private MapReduceJob(Job job, Path output) {
        this.job = job;
        this.output = output;
    }

    /** One map for each text. */
    static MapReduceJob submit(ProcessCluster cluster, String... texts) throws Exception {
        Path home = Files.createDirectories(cluster.directory().resolve("wordcount"));
        Path input = Files.createDirectories(home.resolve("input"));
        for (int i = 0; i < texts.length; i++) {
            Files.writeString(input.resolve("text-" + i), texts[i]);
        }
        Configuration settings = cluster.configuration();
        settings.set("mapreduce.framework.name", "yarn");
        settings.set("mapreduce.application.classpath", cluster.hadoopClassPath());
        settings.set(
                "yarn.app.mapreduce.am.staging-dir", home.resolve("staging").toString());
        settings.set("mapreduce.jobhistory.address", "");
        settings.setInt("yarn.app.mapreduce.am.resource.mb", 768);
        settings.set("yarn.app.mapreduce.am.command-opts", "-Xmx256m -XX:+UseSerialGC");
        for (String task : new String[] {"map", "reduce"}) {
            settings.setInt("mapreduce." + task + ".memory.mb", 512);
            settings.set("mapreduce." + task + ".java.opts", "-Xmx200m -XX:+UseSerialGC");
        }
        settings.setInt("mapreduce.task.io.sort.mb", 16);
        Job job = Job.getInstance(settings, "wordcount");
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setCombinerClass(WordCount.IntSumReducer.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setNumReduceTasks(REDUCES);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        Path output = home.resolve("output");
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
        job.submit();
        return new MapReduceJob(job, output);
    }

    String applicationId() {
        return job.getJobID().toString().replace("job_", "application_");
    }

    Map<String, Integer> counts() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (int reduce = 0; reduce < REDUCES; reduce++) {
            try (Stream<String> lines = Files.lines(output.resolve("part-r-0000" + reduce))) {
                lines.map(line -> line.split("\t", 2))
                        .forEach(line -> counts.merge(line[0], Integer.parseInt(line[1]), Integer::sum));
            }
        }
        return counts;
    }
}
