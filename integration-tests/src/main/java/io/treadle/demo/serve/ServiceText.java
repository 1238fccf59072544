// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

import java.util.List;
import java.util.stream.Collectors;

/** The service's specification (docs/spec/service-spec.md). */
final class ServiceText {
    private static final String WORKFLOWS =
            """
            workflows:
              recognise:
                inputs: {image: "FP32[any, 64]"}
                tasks:
                  embed: {model: encoder, inputs: {x: image}}
                  read: {model: digit, inputs: {x: embed.y}}
                outputs: {digit: read.label}
              check:
                inputs: {image: "FP32[any, 64]"}
                tasks:
                  clean: {model: denoise, inputs: {x: image}}
                  embed: {model: encoder, inputs: {x: clean.y}}
                  read: {model: digit, inputs: {x: embed.y}}
                  parity: {model: parity, inputs: {x: embed.y}}
                  join: {model: join, inputs: {label: read.label, odd: parity.odd}}
                outputs: {digit: join.digit, agree: join.agree}
              describe:
                inputs: {image: "FP32[any, 64]"}
                tasks:
                  embed: {model: encoder, inputs: {x: image}}
                  read: {model: digit, inputs: {x: embed.y}}
                  style: {model: style, inputs: {x: embed.y}}
                outputs: {digit: read.label, ink: style.ink}
              parity:
                inputs: {image: "FP32[any, 64]"}
                tasks:
                  embed: {model: encoder, inputs: {x: image}}
                  parity: {model: parity, inputs: {x: embed.y}}
                outputs: {odd: parity.odd}
            """;

    private ServiceText() {}

    static String of(List<ModelFile> models, ServiceShape shape) {
        String files = models.stream()
                .map(model -> "  %s: {file: \"%s\", memory: %dMi}\n"
                        .formatted(model.name(), model.file().toAbsolutePath().toUri(), model.memoryMiB()))
                .collect(Collectors.joining());
        return """
                name: digits
                queue: root.%s
                policy: %s
                workers: {count: %d, vcores: 1, memory: %dMi, gpuMemory: %dMi}
                models:
                """
                        .formatted(
                                ServeCluster.SERVING,
                                shape.policy(),
                                shape.workers(),
                                shape.memoryMiB(),
                                shape.modelMemoryMiB())
                + files
                + WORKFLOWS;
    }
}
