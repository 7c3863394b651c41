@files
Feature: A database in a file has one engine, too
  Background:
    Given a file database "plans"

  Rule: An engine is created once, and everybody gets it

    @FI-01
    Scenario: Threads that race for one file get the same engine
      When 8 threads ask for the engine of "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all of them have the same engine

  @eviction
  Rule: A file outlives its engine

    @FI-02
    Scenario: What was written is there for the next engine
      Given "plans" has a table of items
      And "plans" has the item "apple"
      When thread A evicts the engine of "plans"
      Then "plans" has 1 item

  Rule: Writers wait for each other and do not fail

    @FI-03
    Scenario: Two threads read and then write one file at the same moment
      Given "plans" has a table of items
      When 2 threads read "plans" at the same moment and then write to it, 3 times
      Then nobody fails
      And "plans" has 6 items
