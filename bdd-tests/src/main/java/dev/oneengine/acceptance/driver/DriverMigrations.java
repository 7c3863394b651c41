package dev.oneengine.acceptance.driver;

import dev.oneengine.acceptance.EngineUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.MigrationsUnderTest;
import java.util.List;

/** A migration runner of a driver. Thread-safe. */
record DriverMigrations(DriverProcess process, String url, String scripts) implements MigrationsUnderTest {
    private Message call(String operation) throws CallFailedException {
        return process.call(operation, "url", url, "scripts", scripts);
    }

    @Override
    public Identity engine() throws Exception {
        return DriverEngine.identity(process, call("runner").text("engine"));
    }

    @Override
    public void migrate() throws Exception {
        call("migrate");
    }

    @Override
    public List<String> pending() throws Exception {
        return call("pending").texts("rows");
    }

    @Override
    public List<String> status() throws Exception {
        return call("status").texts("rows");
    }

    @Override
    public List<EngineUnderTest> forks(int number) throws Exception {
        return process.call("forks", "url", url, "scripts", scripts, "count", number).texts("engines").stream()
                .<EngineUnderTest>map(id -> new DriverEngine(process, id))
                .toList();
    }
}
