package dev.oneengine.tools;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** A row of the table, for JPA. */
@Entity(name = "item")
class Item {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Integer id;

    String name;

    Item() {}

    Item(String name) {
        this.name = name;
    }
}
