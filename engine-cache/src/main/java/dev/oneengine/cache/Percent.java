package dev.oneengine.cache;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of RFC 3986, in UTF-8. Stateless and thread-safe. */
final class Percent {
    private static final String UNRESERVED = "-._~/";

    private Percent() {}

    /**
     * Decodes a text; a plus sign stays one.
     *
     * @throws IllegalArgumentException where it is not percent-encoded UTF-8
     */
    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] == '%') {
                decoded.write(hexDigit(encoded, i + 1) * 16 + hexDigit(encoded, i + 2));
                i += 2;
            } else {
                decoded.write(encoded[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(decoded.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Decodes a part of a URL. */
    static String decode(String url, String part) {
        String decoded;
        try {
            decoded = decode(part);
        } catch (IllegalArgumentException e) {
            throw new InvalidDatabaseUrlException(url, "it is not percent-encoded UTF-8; write a percent sign as %25");
        }
        if (decoded.indexOf(0) >= 0) {
            throw new InvalidDatabaseUrlException(
                    url, "it contains %00, which ends a text for the database; remove it");
        }
        return decoded;
    }

    /** Decodes a text where it can be decoded, and leaves it as it is elsewhere. */
    static String decodeLeniently(String text) {
        try {
            return decode(text);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** Encodes all but letters, digits, {@code - . _ ~} of ASCII and the slash. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
            }
        }
        return encoded.toString();
    }

    private static int hexDigit(byte[] text, int index) {
        int digit = index < text.length ? Character.digit(text[index], 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("a percent sign is followed by something other than two hex digits");
        }
        return digit;
    }
}
