@issue-7566
Feature: One engine per database under load
  The race was found where a pool of workers and the parallel parts of a plan opened units of work at once.

  @units-of-work
  Rule: A pool of workers and all that it starts work on one engine

    @LD-01
    Scenario: Four workers with parallel sub-plans, as in the bug report
      Given an in-memory database "plans"
      When 4 workers open units of work on "plans", and 4 sub-plans of each do the same
      Then 1 engine has been created for "plans"
      And all of them have the same engine

  Rule: No number of threads and databases makes a difference

    @LD-02
    Scenario: 64 threads ask for 100 databases
      When 64 threads ask for the engines of 100 in-memory databases
      Then all threads have the same engine for the same database
      And one engine has been created for each database
