package dev.oneengine.cache.url;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Percent-encoding of RFC 3986, in UTF-8. Stateless and thread-safe. */
public final class PercentEncoding {
    private static final String UNRESERVED = "-._~/";

    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

    private PercentEncoding() {}

    /**
     * Decodes a text. A plus sign stays a plus sign.
     *
     * @throws UrlSyntaxException if the text is not percent-encoded UTF-8, or contains {@code %00}
     */
    static String decode(String text) throws UrlSyntaxException {
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
        String result = utf16(decoded.toByteArray());
        if (result.indexOf(0) >= 0) {
            throw new UrlSyntaxException("it contains %00, where a database would end the text; remove it");
        }
        return result;
    }

    private static String utf16(byte[] utf8) throws UrlSyntaxException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw notEncoded();
        }
    }

    private static UrlSyntaxException notEncoded() {
        return new UrlSyntaxException("it is not percent-encoded UTF-8; write a percent sign as %25");
    }

    /** Decodes each valid escape as one character, and keeps all other text. Correct for ASCII only. */
    static String decodeLeniently(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }

    /**
     * Encodes all characters except ASCII letters and digits, {@code - . _ ~} and the slash.
     *
     * @param text any text
     * @return the text in ASCII
     */
    public static String encode(String text) {
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

    private static int hexDigit(byte[] text, int index) throws UrlSyntaxException {
        int digit = index < text.length ? Character.digit(text[index], 16) : -1;
        if (digit < 0) {
            throw notEncoded();
        }
        return digit;
    }
}
