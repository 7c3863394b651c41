/** Units of work: one transaction, one owner. */
@SuppressWarnings("requires-automatic") // PostgreSQL's driver has only a name, and is used only where it is present
module dev.oneengine.work {
    requires transitive dev.oneengine.cache;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires static org.postgresql.jdbc;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.oneengine.work;
}
