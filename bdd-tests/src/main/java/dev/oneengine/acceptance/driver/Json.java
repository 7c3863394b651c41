package dev.oneengine.acceptance.driver;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes the JSON of the driver protocol: objects, arrays, strings, whole numbers, {@code true}, {@code
 * false} and {@code null}. Confined to its thread.
 */
final class Json {
    /** The protocol needs three levels. A driver that writes more must not overflow the stack of the thread that reads. */
    private static final int DEEPEST = 100;

    private final String text;
    private int position;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** A text that is not a JSON object of the protocol. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    /** Reads one object. */
    static Map<String, Object> read(String line) throws MalformedException {
        Json json = new Json(line);
        json.skipBlanks();
        Map<String, Object> object = json.object();
        json.skipBlanks();
        if (json.position < line.length()) {
            throw json.malformed("the end of the line");
        }
        return object;
    }

    private Object value() throws MalformedException {
        skipBlanks();
        char next = next();
        return switch (next) {
            case '{', '[' -> nested(next);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", "");
            default -> number();
        };
    }

    private Object nested(char begin) throws MalformedException {
        if (++depth > DEEPEST) {
            throw malformed("fewer nested values");
        }
        Object value = begin == '{' ? object() : array();
        depth--;
        return value;
    }

    private Map<String, Object> object() throws MalformedException {
        Map<String, Object> object = new LinkedHashMap<>();
        expect('{');
        skipBlanks();
        while (next() != '}') {
            if (!object.isEmpty()) {
                expect(',');
                skipBlanks();
            }
            String name = string();
            skipBlanks();
            expect(':');
            object.put(name, value());
            skipBlanks();
        }
        position++;
        return object;
    }

    private List<Object> array() throws MalformedException {
        List<Object> array = new ArrayList<>();
        expect('[');
        skipBlanks();
        while (next() != ']') {
            if (!array.isEmpty()) {
                expect(',');
            }
            array.add(value());
            skipBlanks();
        }
        position++;
        return array;
    }

    private String string() throws MalformedException {
        StringBuilder string = new StringBuilder();
        expect('"');
        while (next() != '"') {
            char character = text.charAt(position++);
            string.append(character == '\\' ? escaped() : character);
        }
        position++;
        return string.toString();
    }

    private char escaped() throws MalformedException {
        char character = next();
        position++;
        return switch (character) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            case '"', '\\', '/' -> character;
            default -> throw malformed("an escape");
        };
    }

    private char unicode() throws MalformedException {
        try {
            char character = (char) Integer.parseInt(text.substring(position, position + 4), 16);
            position += 4;
            return character;
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw malformed("four hexadecimal digits");
        }
    }

    private Object word(String word, Object value) throws MalformedException {
        if (!text.startsWith(word, position)) {
            throw malformed(word);
        }
        position += word.length();
        return value;
    }

    private Long number() throws MalformedException {
        int start = position;
        while (position < text.length() && "-0123456789".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        try {
            return Long.valueOf(text.substring(start, position));
        } catch (NumberFormatException e) {
            throw malformed("a value");
        }
    }

    private void skipBlanks() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private char next() throws MalformedException {
        if (position >= text.length()) {
            throw malformed("more");
        }
        return text.charAt(position);
    }

    private void expect(char character) throws MalformedException {
        if (next() != character) {
            throw malformed("'" + character + "'");
        }
        position++;
    }

    private MalformedException malformed(String expected) {
        return new MalformedException("expected " + expected + " at character " + (position + 1));
    }

    /** Writes an object of texts and numbers. */
    static String write(Map<String, Object> object) {
        StringBuilder json = new StringBuilder("{");
        object.forEach((name, value) -> {
            json.append(json.length() > 1 ? ", " : "");
            write(json, name);
            json.append(": ");
            if (value instanceof Number) {
                json.append(value);
            } else {
                write(json, value.toString());
            }
        });
        return json.append('}').toString();
    }

    private static void write(StringBuilder json, String string) {
        json.append('"');
        string.chars().forEach(character -> {
            if (character == '"' || character == '\\') {
                json.append('\\').append((char) character);
            } else if (character < ' ') {
                json.append(String.format("\\u%04x", character));
            } else {
                json.append((char) character);
            }
        });
        json.append('"');
    }
}
