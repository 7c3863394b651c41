@suite-1.0 @files
Feature: A database in a file has one engine
  Background:
    Given a file database "plans"

  Rule: An engine is created once, and every caller gets it

    @FI-01
    Scenario: Threads that race for one file share one engine
      When 8 threads ask for the engine of "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all threads have the same engine

  @eviction
  Rule: A file outlives its engine

    @FI-02
    Scenario: The next engine of a file finds what the evicted engine has written
      Given "plans" has a table of items
      And "plans" has the item "apple"
      When thread A evicts the engine of "plans"
      Then "plans" has 1 item

  Rule: Writers wait for each other and do not fail

    @FI-03
    Scenario: Two threads that read and then write one file at the same moment both succeed
      Given "plans" has a table of items
      When 2 threads read "plans" at the same moment and then write to it, 3 times
      Then no writer fails
      And "plans" has 6 items
