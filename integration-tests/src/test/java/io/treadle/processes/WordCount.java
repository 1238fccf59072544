// SPDX-License-Identifier: Apache-2.0
package io.treadle.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** A MapReduce job as others run it on the same cluster: two maps, two reduces, a shuffle between them. */
final class WordCount {
    private static final int REDUCES = 2;

    private final Job job;
    private final Path output;

    private WordCount(Job job, Path output) {
        this.job = job;
        this.output = output;
    }

    /** One map for each text. */
    static WordCount submit(ProcessCluster cluster, String... texts) throws Exception {
        Path home = Files.createDirectories(cluster.directory().resolve("wordcount"));
        Path input = Files.createDirectories(home.resolve("input"));
        for (int i = 0; i < texts.length; i++) {
            Files.writeString(input.resolve("text-" + i), texts[i]);
        }
        Configuration settings = cluster.configuration();
        settings.set("mapreduce.framework.name", "yarn");
        settings.set("mapreduce.application.classpath", cluster.hadoopClassPath() + "," + JarDirectories.testClasses());
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
        job.setMapperClass(Words.class);
        job.setReducerClass(Sum.class);
        job.setNumReduceTasks(REDUCES);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        Path output = home.resolve("output");
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(input.toUri()));
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
        job.submit();
        return new WordCount(job, output);
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

    /** Made by Hadoop, by name. */
    public static final class Words extends Mapper<LongWritable, Text, Text, IntWritable> {
        private static final IntWritable ONE = new IntWritable(1);

        @Override
        protected void map(
                LongWritable offset, Text line, Mapper<LongWritable, Text, Text, IntWritable>.Context context)
                throws IOException, InterruptedException {
            StringTokenizer words = new StringTokenizer(line.toString());
            while (words.hasMoreTokens()) {
                context.write(new Text(words.nextToken()), ONE);
            }
        }
    }

    /** Made by Hadoop, by name. */
    public static final class Sum extends Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        protected void reduce(
                Text word, Iterable<IntWritable> ones, Reducer<Text, IntWritable, Text, IntWritable>.Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable one : ones) {
                sum += one.get();
            }
            context.write(word, new IntWritable(sum));
        }
    }
}
