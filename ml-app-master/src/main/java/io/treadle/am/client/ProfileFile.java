// SPDX-License-Identifier: Apache-2.0
package io.treadle.am.client;

import io.treadle.core.wire.ProfileImport;
import io.treadle.core.wire.ProfileRecord;
import io.treadle.core.wire.WireFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A profile in a file. */
final class ProfileFile {
    /** Some editors begin with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private ProfileFile() {}

    /** @throws ClientException if it cannot be read, or is no profile that can be stored */
    static ProfileRecord read(String name, int mostBytes, long nowMs) {
        Path file = Path.of(name);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw new ClientException("'" + file + "' has more than " + mostBytes
                        + " bytes, must be a profile as 'profile export' writes it");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return ProfileImport.read(
                    "'" + file + "'", text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text, nowMs);
        } catch (NoSuchFileException e) {
            throw new ClientException("there is no file '" + file + "'", e);
        } catch (CharacterCodingException e) {
            throw new ClientException("'" + file + "' is no text in UTF-8, must be a profile in JSON", e);
        } catch (WireFormatException e) {
            throw new ClientException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ClientException("'" + file + "' cannot be read: " + e.getMessage(), e);
        }
    }
}
