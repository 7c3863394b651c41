@suite-1.0
Feature: One engine per database under load
  Bug 3950 names the threads that race in practice: a pool of four workers, and sub-plans that run in parallel.

  @units-of-work
  Rule: Workers and their sub-plans share one engine

    @LD-01 @issue-3950
    Scenario: Four workers and their parallel sub-plans share one engine
      Given an in-memory database "plans"
      When 4 workers open units of work on "plans", with 4 parallel sub-plans each
      Then 1 engine has been created for "plans"
      And all threads have the same engine

  Rule: Many threads that ask for many databases share one engine for each

    @LD-02 @issue-7566
    Scenario: 64 threads that ask for 100 databases share one engine for each database
      When 64 threads ask for the engines of 100 in-memory databases
      Then all threads have the same engine for the same database
      And 1 engine has been created for each database
