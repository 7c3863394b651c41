@suite-1.0 @postgresql
Feature: The same rules hold on a PostgreSQL server

  Background:
    Given a PostgreSQL database "plans"

  Rule: An engine is created once, and every caller gets it

    @PG-01
    Scenario: Threads that race for one database of a server share one engine
      When 8 threads ask for the engine of "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all threads have the same engine

    @PG-02
    Scenario: A second thread waits while the first thread creates the engine
      Given thread A is creating the engine of "plans"
      When thread B asks for the engine of "plans"
      Then thread B waits

    @PG-03
    Scenario: A caller after a failed creation gets a new engine
      Given the first attempt to create the engine of "plans" fails
      And thread A has asked for the engine of "plans"
      When thread B asks for the engine of "plans"
      Then the engine of thread B works

  @eviction
  Rule: A closed engine leaves nothing on the server

    @PG-04
    Scenario: An eviction closes the connections of the engine
      Given the engine of "plans" is cached
      When thread A evicts the engine of "plans"
      Then the server has no connection to "plans"

  @units-of-work
  Rule: A unit of work is committed as a whole or not at all

    Background:
      Given "plans" has a table of items
      And units of work on "plans"

    @PG-05
    Scenario: A failure rolls back everything the unit has done
      When a unit of work adds "apple" and then fails
      Then the caller gets the failure of the unit
      And there are no items

    @PG-06 @savepoints
    Scenario: A failed nested transaction is rolled back alone
      When a unit of work adds "apple" and survives the failure of a nested transaction that adds "pear"
      Then the call succeeds
      And the items are "apple"

    @PG-07 @read-only
    Scenario: A read-only unit cannot write
      When a read-only unit tries to add "apple"
      Then the call fails
      And there are no items

    @PG-08 @guarded-transactions
    Scenario: A participant cannot commit the transaction of its unit
      When a unit of work adds "apple" and a participant calls commit on the connection
      Then the connection rejects the attempt
      And the items are "apple"

    @PG-09 @retry
    Scenario: A conflict between two units is retried and loses no change
      When two units of work count the items at the same moment and each adds its count as an item
      Then the call succeeds
      And there have been at least 3 runs
      And the items are "number 0, number 1"

  @migrations
  Rule: A database is migrated once

    @PG-10 @issue-3950
    Scenario: Migration runners that race for one URL migrate one engine once
      When 4 migration runners migrate "plans" at the same moment
      Then all threads have the same engine
      And 1 engine has been created for "plans"
      And each script has run once on "plans"

    @PG-11
    Scenario: The failure of a script names the script
      Given the first script fails after it has created its table
      When a migration runner migrates "plans"
      Then the failure names the first script

    @PG-12
    Scenario: A failed script leaves no table behind
      Given the first script fails after it has created its table
      When a migration runner migrates "plans"
      Then "plans" has no table of items

    @PG-13
    Scenario: A database can be migrated once the failed script is fixed
      Given the first script fails after it has created its table
      And a migration runner has failed to migrate "plans"
      When the first script is fixed
      And a migration runner migrates "plans"
      Then the migration succeeds
      And each script has run once on "plans"
