/** One engine per database URL. */
module dev.oneengine.cache {
    requires transitive com.zaxxer.hikari;
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.oneengine.cache;
    // For the other modules of One Engine. Exported to all, because migration-runner may be on the class path.
    exports dev.oneengine.cache.internal;
}
