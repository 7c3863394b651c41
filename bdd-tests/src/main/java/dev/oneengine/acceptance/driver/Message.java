package dev.oneengine.acceptance.driver;

import java.util.List;
import java.util.Map;

/** A message of a driver. Immutable and thread-safe. */
record Message(Map<String, Object> fields) {
    static Message read(String line) throws Json.MalformedException {
        Message message = new Message(Json.read(line));
        if (message.type().isEmpty()) {
            throw new Json.MalformedException("expected a type");
        }
        return message;
    }

    String type() {
        return text("type");
    }

    /** Returns a field as text, empty if the message has no such field. */
    String text(String name) {
        return fields.getOrDefault(name, "").toString();
    }

    /** Returns a field as a number, or -1. */
    long number(String name) {
        return fields.get(name) instanceof Long number ? number : -1;
    }

    /** Returns a field as a list of texts, empty if the message has no such field. */
    List<String> texts(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(Object::toString).toList()
                : List.of();
    }

    /** Returns the fields of an object field. */
    Map<?, ?> map(String name) {
        return fields.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }
}
