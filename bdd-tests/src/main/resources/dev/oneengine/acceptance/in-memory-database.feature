Feature: A database in memory is one database
  SQLite gives each connection to ":memory:" a database of its own, which is gone when the connection is closed. A lock
  alone does not help against that.

  Background:
    Given an in-memory database "plans"

  Rule: All connections of an engine see the same database

    @ME-01
    Scenario: A table made on one connection is there on the others
      When a table is made on one of 4 open connections to "plans"
      Then all of them see it

  @housekeeping
  Rule: The database lives as long as its engine

    @ME-02
    Scenario: It survives the closing of all connections of the pool
      Given "plans" has a table of items
      And "plans" has the item "apple"
      When all connections to "plans" are closed and opened again
      Then "plans" has 1 item

  Rule: Each cache has databases of its own

    @ME-03
    Scenario: The same URL in another cache is another database
      When the table of items is made in a second cache, in its database of the same URL as "plans"
      Then "plans" has no table of items

  Rule: Writers wait for each other and do not fail

    @ME-04
    Scenario: Two threads read and then write at the same moment
      Given "plans" has a table of items
      When 2 threads read "plans" at the same moment and then write to it, 5 times
      Then nobody fails
      And "plans" has 10 items

    @ME-05 @stress
    Scenario: Four threads read and write as fast as they can
      Given "plans" has a table of items
      When 4 threads read and write "plans" as fast as they can, 50 times
      Then nobody fails
      And "plans" has 200 items
