@postgresql
Feature: The same rules hold on a PostgreSQL server

  Background:
    Given a PostgreSQL database "plans"

  Rule: An engine is created once, and everybody gets it

    @PG-01
    Scenario: Threads that race for one database of a server get the same engine
      When 8 threads ask for the engine of "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all of them have the same engine

    @PG-02
    Scenario: A second thread waits until the first has the connections to the server
      Given thread A is busy creating the engine of "plans"
      When thread B asks for the engine of "plans"
      Then thread B waits
      And once thread A is done with "plans", thread B has the same engine

    @PG-03
    Scenario: A failed attempt to reach the server is not cached
      Given the first attempt to create the engine of "plans" fails
      When thread A asks for the engine of "plans"
      Then thread A gets that failure
      And the next one who asks for the engine of "plans" gets one that works

  @eviction
  Rule: An engine that is closed leaves nothing on the server

    @PG-04
    Scenario: Its connections are closed
      Given the engine of "plans" is cached
      When thread A evicts the engine of "plans"
      Then the server has no connection to "plans" any more

  @units-of-work
  Rule: A unit of work happens as a whole or not at all

    Background:
      Given "plans" has a table of items
      And units of work on "plans"

    @PG-05
    Scenario: A failure on the server's database takes back what was done before it
      When a unit of work adds "apple" and then fails
      Then the caller gets the failure of the part
      And there are no items

    @PG-06 @savepoints
    Scenario: Only the nested part is rolled back on the server's database
      When a unit of work adds "apple", and goes on after the failure of a nested part that has added "pear"
      Then the caller gets no failure
      And the items are "apple"

    @PG-07 @read-only
    Scenario: A unit that only reads cannot write to the server's database
      When a unit of work that only reads tries to add "apple"
      Then the caller gets a failure
      And there are no items

    @PG-08 @guarded-transactions
    Scenario: Nobody in a unit can commit on the server's database
      When a unit of work adds "apple", and a participant tries to commit
      Then that is refused
      And the items are "apple"

    @PG-09 @retry
    Scenario: A conflict of two units is tried again, and no change is lost
      When two units of work see how many items there are at the same moment, and each adds that number as an item
      Then nobody fails
      And there have been at least 3 runs
      And the items are "number 0, number 1"

  @migrations
  Rule: Each script runs once

    @PG-10
    Scenario: Migration runners race on the server's database
      When 4 migration runners migrate "plans" at the same moment
      Then all of them succeed, and each script has run once on "plans"

    @PG-11
    Scenario: A script that fails leaves the server's database as it was
      Given the first script fails after it has made its table
      When a migration runner migrates "plans"
      Then the failure names the first script
      And "plans" has no table of items
      And once the script is mended, "plans" can be migrated
