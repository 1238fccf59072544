// SPDX-License-Identifier: Apache-2.0
package io.treadle.demo.serve;

/**
 * How wide networks are.
 *
 * @param imageWide first layer of those that take images
 * @param imageFeatures their second layer
 * @param embeddingWide first layer of those that take embeddings
 * @param embeddingFeatures their second layer
 */
public record ModelSizes(int imageWide, int imageFeatures, int embeddingWide, int embeddingFeatures) {
    /** 29 MB for a model of images, 14 MB for one of embeddings: loading one takes ten times as long as running it. */
    public static final ModelSizes DEMO = new ModelSizes(16_384, 384, 10_240, 256);
}
