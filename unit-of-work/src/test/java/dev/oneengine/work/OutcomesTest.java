package dev.oneengine.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.testing.Database;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of docs/unit-of-work.md in executable form. For units within units, it checks the rows in the database and
 * the result for the caller. Each case inserts "outer", "inner" and so on.
 */
@Timeout(120)
@ParameterizedClass
@EnumSource(Database.class)
class OutcomesTest {
    @Parameter
    Database database;

    @TempDir
    Path directory;

    /** A line of the table. */
    private record Case(Program program, Class<? extends Throwable> thrown, List<String> items, List<String> hooks) {}

    private interface Program {
        void run(UnitOfWork work, List<String> hooks) throws Exception;
    }

    private static final class Mine extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final List<Named<Case>> CASES = new ArrayList<>();

    private static void expect(
            String name, Class<? extends Throwable> thrown, List<String> items, List<String> hooks, Program program) {
        CASES.add(Named.of(name, new Case(program, thrown, items, hooks)));
    }

    /** Inserts a row and registers hooks that record its outcome. */
    private static void add(Transaction tx, String name, List<String> hooks) throws SQLException {
        Items.insert(tx, name);
        tx.afterCommit(() -> hooks.add("+" + name));
        tx.afterRollback(() -> hooks.add("-" + name));
    }

    private static void swallow(Program program, UnitOfWork work, List<String> hooks) {
        assertThat(catchThrowable(() -> program.run(work, hooks))).isNotNull();
    }

    private static final Program FAILING_PART = (work, hooks) -> work.run(tx -> {
        add(tx, "inner", hooks);
        throw new Mine();
    });

    private static final Program GOOD_PART = (work, hooks) -> work.run(tx -> add(tx, "inner", hooks));

    static {
        // One unit.
        expect(
                "run",
                null,
                List.of("outer"),
                List.of("+outer"),
                (work, hooks) -> work.run(tx -> add(tx, "outer", hooks)));
        expect(
                "run that throws",
                Mine.class,
                List.of(),
                List.of("-outer"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    throw new Mine();
                }));
        expect(
                "run, setRollbackOnly",
                null,
                List.of(),
                List.of("-outer"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.setRollbackOnly();
                    assertThat(tx.isRollbackOnly()).isTrue();
                }));
        expect("begin and commit", null, List.of("outer"), List.of("+outer"), (work, hooks) -> {
            try (Transaction tx = work.begin()) {
                add(tx, "outer", hooks);
                tx.commit();
            }
        });
        expect("begin without commit", null, List.of(), List.of("-outer"), (work, hooks) -> {
            try (Transaction tx = work.begin()) {
                add(tx, "outer", hooks);
            }
        });
        expect("begin, setRollbackOnly, commit", null, List.of(), List.of("-outer"), (work, hooks) -> {
            try (Transaction tx = work.begin()) {
                add(tx, "outer", hooks);
                tx.setRollbackOnly();
                tx.commit();
            }
        });
        expect("begin, throws", Mine.class, List.of(), List.of("-outer"), (work, hooks) -> {
            try (Transaction tx = work.begin()) {
                add(tx, "outer", hooks);
                throw new Mine();
            }
        });

        // Joined calls.
        expect(
                "run in run",
                null,
                List.of("inner", "outer"),
                List.of("+outer", "+inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    GOOD_PART.run(work, hooks);
                }));
        expect(
                "run in run, outer throws",
                Mine.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    GOOD_PART.run(work, hooks);
                    throw new Mine();
                }));
        expect(
                "run in run, inner throws",
                Mine.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    FAILING_PART.run(work, hooks);
                }));
        expect(
                "run in run, inner throws, swallowed",
                RollbackOnlyException.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow(FAILING_PART, work, hooks);
                    assertThat(tx.isRollbackOnly()).isTrue();
                }));
        expect(
                "run in run, inner throws, outer throws another exception",
                Mine.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    swallow(FAILING_PART, work, hooks);
                    throw new Mine();
                }));
        expect(
                "run in run, inner setRollbackOnly",
                RollbackOnlyException.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    work.run(inner -> {
                        add(inner, "inner", hooks);
                        inner.setRollbackOnly();
                    });
                }));
        expect(
                "run in run in run, innermost throws, swallowed by the middle",
                RollbackOnlyException.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    work.run(middle -> swallow(FAILING_PART, work, hooks));
                }));
        expect(
                "run in run, inner throws, swallowed, outer setRollbackOnly",
                RollbackOnlyException.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    swallow(FAILING_PART, work, hooks);
                    tx.setRollbackOnly();
                }));

        // Joined transactions of begin().
        expect(
                "begin in run, commit",
                null,
                List.of("inner", "outer"),
                List.of("+outer", "+inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    try (Transaction inner = work.begin()) {
                        add(inner, "inner", hooks);
                        inner.commit();
                    }
                }));
        expect(
                "begin in run, no commit",
                RollbackOnlyException.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    try (Transaction inner = work.begin()) {
                        add(inner, "inner", hooks);
                    }
                }));
        expect(
                "begin in run, setRollbackOnly, commit",
                RollbackOnlyException.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    try (Transaction inner = work.begin()) {
                        add(inner, "inner", hooks);
                        inner.setRollbackOnly();
                        inner.commit();
                    }
                }));
        expect(
                "begin in run, left open",
                RollbackOnlyException.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    Transaction inner = work.begin();
                    add(inner, "inner", hooks);
                }));
        expect(
                "begin in run, commit, outer throws",
                Mine.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    try (Transaction inner = work.begin()) {
                        add(inner, "inner", hooks);
                        inner.commit();
                    }
                    throw new Mine();
                }));
        expect("run in begin", null, List.of("inner", "outer"), List.of("+outer", "+inner"), (work, hooks) -> {
            try (Transaction tx = work.begin()) {
                add(tx, "outer", hooks);
                GOOD_PART.run(work, hooks);
                tx.commit();
            }
        });
        expect(
                "run in begin, inner throws, swallowed",
                RollbackOnlyException.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> {
                    try (Transaction tx = work.begin()) {
                        swallow(FAILING_PART, work, hooks);
                        tx.commit();
                    }
                });
        expect("run in begin, no commit", null, List.of(), List.of("-inner"), (work, hooks) -> {
            try (Transaction tx = work.begin()) {
                GOOD_PART.run(work, hooks);
                assertThat(tx.isRollbackOnly()).isFalse();
            }
        });
        expect(
                "run in begin, commit inside the run",
                RollbackOnlyException.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> {
                    try (Transaction tx = work.begin()) {
                        work.run(inner -> {
                            add(inner, "inner", hooks);
                            tx.commit();
                        });
                    }
                });

        // Nested transactions.
        expect(
                "nested",
                null,
                List.of("inner", "outer"),
                List.of("+outer", "+inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.nested(inner -> add(inner, "inner", hooks));
                }));
        expect(
                "nested, inner throws",
                Mine.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.nested(inner -> {
                        add(inner, "inner", hooks);
                        throw new Mine();
                    });
                }));
        expect(
                "nested, inner throws, caught by the outer",
                null,
                List.of("outer"),
                List.of("+outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow(
                            (same, all) -> tx.nested(inner -> {
                                add(inner, "inner", all);
                                throw new Mine();
                            }),
                            work,
                            hooks);
                    assertThat(tx.isRollbackOnly()).isFalse();
                }));
        expect(
                "nested, SQL fails, caught by the outer",
                null,
                List.of("after", "outer"),
                List.of("+outer", "+after"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow((same, all) -> tx.nested(inner -> Items.insert(inner, "outer")), work, hooks);
                    add(tx, "after", hooks);
                }));
        expect(
                "nested, SQL fails, swallowed by the inner",
                null,
                List.of("after", "outer"),
                List.of("+outer", "+after"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    try {
                        tx.nested(inner -> swallow((same, all) -> Items.insert(inner, "outer"), work, hooks));
                    } catch (RollbackOnlyException e) {
                        // PostgreSQL has aborted the nested transaction, so the library rolled it back.
                        assertThat(e).hasMessageContaining("was rolled back");
                    }
                    add(tx, "after", hooks);
                }));
        expect(
                "nested, inner setRollbackOnly",
                null,
                List.of("outer"),
                List.of("+outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.nested(inner -> {
                        add(inner, "inner", hooks);
                        inner.setRollbackOnly();
                    });
                }));
        expect(
                "nested, outer throws",
                Mine.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> {
                    tx.nested(inner -> add(inner, "inner", hooks));
                    throw new Mine();
                }));
        expect(
                "nested, outer setRollbackOnly inside the inner",
                null,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> work.run(tx -> tx.nested(inner -> {
                    add(inner, "inner", hooks);
                    tx.setRollbackOnly();
                    assertThat(inner.isRollbackOnly()).isTrue();
                })));
        expect(
                "nested in nested, inner caught by the middle",
                null,
                List.of("middle", "outer"),
                List.of("+outer", "+middle", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.nested(middle -> {
                        add(middle, "middle", hooks);
                        swallow(
                                (same, all) -> middle.nested(inner -> {
                                    add(inner, "inner", all);
                                    throw new Mine();
                                }),
                                work,
                                hooks);
                    });
                }));
        expect(
                "nested in nested, middle caught by the outer",
                null,
                List.of("outer"),
                List.of("+outer", "-middle", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow(
                            (same, all) -> tx.nested(middle -> {
                                add(middle, "middle", all);
                                middle.nested(inner -> add(inner, "inner", all));
                                throw new Mine();
                            }),
                            work,
                            hooks);
                }));
        expect(
                "run in nested, run throws, swallowed by the nested",
                RollbackOnlyException.class,
                List.of(),
                List.of("-outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.nested(inner -> swallow(FAILING_PART, work, hooks));
                }));
        expect(
                "run in nested, run throws, swallowed by the nested, rollback caught by the outer",
                null,
                List.of("outer"),
                List.of("+outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow((same, all) -> tx.nested(inner -> swallow(FAILING_PART, work, all)), work, hooks);
                }));
        expect(
                "begin in nested, left open, caught by the outer",
                null,
                List.of("outer"),
                List.of("+outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow((same, all) -> tx.nested(inner -> add(work.begin(), "inner", all)), work, hooks);
                }));
        expect(
                "nested in begin, outer closed by the nested",
                TransactionException.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> {
                    try (Transaction tx = work.begin()) {
                        tx.nested(inner -> {
                            add(inner, "inner", hooks);
                            end(tx);
                        });
                    }
                });
        expect(
                "nested in begin, outer closed by the nested, which throws",
                Mine.class,
                List.of(),
                List.of("-inner"),
                (work, hooks) -> {
                    try (Transaction tx = work.begin()) {
                        tx.nested(inner -> {
                            add(inner, "inner", hooks);
                            end(tx);
                            throw new Mine();
                        });
                    }
                });

        // Readers.
        expect(
                "read in run",
                null,
                List.of("after", "outer"),
                List.of("+outer", "+after"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    List<String> seen = work.<List<String>, SQLException>read(reader -> {
                        assertThat(reader.isReadOnly()).isTrue();
                        return work.read(again -> Items.in(again.connection()));
                    });
                    assertThat(seen).containsExactly("outer");
                    assertThat(tx.isReadOnly()).isFalse();
                    add(tx, "after", hooks);
                }));
        expect(
                "read in run, which writes",
                SQLException.class,
                List.of(),
                List.of("-outer"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    work.read(reader -> {
                        Items.insert(reader, "inner");
                        return true;
                    });
                }));
        expect(
                "read in run, which writes, swallowed",
                RollbackOnlyException.class,
                List.of(),
                List.of("-outer"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    swallow(
                            (same, all) -> work.read(reader -> {
                                Items.insert(reader, "inner");
                                return true;
                            }),
                            work,
                            hooks);
                    if (!tx.isReadOnly()) {
                        Items.insert(tx, "after");
                    }
                }));
        expect(
                "run in read",
                TransactionException.class,
                List.of(),
                List.of(),
                (work, hooks) -> work.read(reader -> {
                    GOOD_PART.run(work, hooks);
                    return true;
                }));
        expect(
                "begin in read",
                TransactionException.class,
                List.of(),
                List.of(),
                (work, hooks) -> work.read(reader -> work.begin()));
        expect(
                "run in read in run",
                TransactionException.class,
                List.of(),
                List.of("-outer"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    work.read(reader -> {
                        GOOD_PART.run(work, hooks);
                        return true;
                    });
                }));
        expect(
                "nested in read",
                null,
                List.of(),
                List.of(),
                (work, hooks) -> work.read(reader -> reader.nestedCall(inner -> Items.in(inner.connection()))));

        // Hooks, and units that hooks begin.
        expect(
                "run in a hook",
                null,
                List.of("inner", "outer"),
                List.of("+outer", "+inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.afterCommit(() -> {
                        try {
                            GOOD_PART.run(work, hooks);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
                }));
        expect(
                "run in a hook, which fails",
                AfterCommitException.class,
                List.of("outer"),
                List.of("+outer", "-inner"),
                (work, hooks) -> work.run(tx -> {
                    add(tx, "outer", hooks);
                    tx.afterCommit(() -> {
                        try {
                            FAILING_PART.run(work, hooks);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
                }));
    }

    private static void end(Transaction tx) {
        tx.close();
    }

    static List<Named<Case>> cases() {
        return CASES;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void units_within_units_have_the_documented_outcomes(Case one) throws SQLException {
        String url = database.url(directory);
        try (EngineCache cache = Items.cacheWithTable(url)) {
            UnitOfWork work = UnitOfWork.builder(url).cache(cache).build();
            List<String> hooks = new ArrayList<>();

            Throwable thrown = catchThrowable(() -> one.program.run(work, hooks));

            if (one.thrown == null) {
                assertThat(thrown).isNull();
            } else {
                assertThat(thrown).isInstanceOf(one.thrown);
            }
            assertThat(Items.in(cache.engine(url).dataSource())).isEqualTo(one.items);
            assertThat(hooks).isEqualTo(one.hooks);
            assertThat(OpenUnits.find(cache.engine(url))).isNull();
            work.run(tx -> {}); // nothing blocks the next unit
        }
    }
}
