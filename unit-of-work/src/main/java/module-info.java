/** Units of work: transactions that each have one owner. */
@SuppressWarnings("requires-automatic") // PostgreSQL's driver is an automatic module, used only if present
module dev.oneengine.work {
    requires transitive dev.oneengine.cache;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires static org.postgresql.jdbc;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.oneengine.work;
}
