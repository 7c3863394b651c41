package dev.oneengine.acceptance.glue;

import static dev.oneengine.acceptance.glue.Expect.assertThat;

import dev.oneengine.acceptance.CacheUnderTest;
import dev.oneengine.acceptance.Identity;
import dev.oneengine.acceptance.WorkUnderTest;
import java.util.ArrayList;
import java.util.List;

/** Ways to get an engine and to check that it works. Stateless and thread-safe. */
final class Opened {
    private Opened() {}

    /** Opens a unit of work, uses its connection and returns its engine. */
    static EngineSeen unit(CacheUnderTest cache, String url) throws Exception {
        return unit(cache.work(url));
    }

    static EngineSeen unit(WorkUnderTest work) throws Exception {
        List<Identity> engines = new ArrayList<>();
        work.run(transaction -> {
            assertThat(transaction.connection().sql("SELECT 1")).containsExactly("1");
            engines.add(work.engine());
        });
        return EngineSeen.identity(engines.get(engines.size() - 1));
    }

    /** Uses an engine. */
    static EngineSeen use(EngineSeen found) throws Exception {
        assertThat(found.get().sql("SELECT 1")).containsExactly("1");
        return found;
    }
}
