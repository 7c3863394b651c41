@suite-1.0
Feature: One engine per database under any race
  An engine opens a database and holds its connections. A second engine for the same in-memory URL opens a second, empty
  database. A thread with the second engine works on data that no other thread sees.

  Background:
    Given an in-memory database "plans"

  Rule: An engine is created once, and every caller gets it

    @EC-01 @issue-3950
    Scenario: Two threads that race for one URL create one engine
      When 2 threads ask for the engine of "plans" at the same moment
      Then 1 engine has been created for "plans"

    @EC-02 @issue-3950
    Scenario: Two threads that race for one URL get the same engine
      When 2 threads ask for the engine of "plans" at the same moment
      Then all threads have the same engine

    @EC-03 @issue-3950
    Scenario: A table created by one racing thread exists for the other thread
      When 2 threads ask for the engine of "plans" at the same moment
      And the first of these threads creates a table
      Then the other threads find the table

    @EC-04 @issue-3950
    Scenario: Threads that race for the unnamed in-memory database share one engine
      Given the unnamed in-memory database, called "memory" here
      When 8 threads ask for the engine of "memory" at the same moment
      Then 1 engine has been created for "memory"
      And all threads have the same engine

    @EC-05 @issue-7566
    Scenario: A later caller gets the cached engine without creating another
      Given the engine of "plans" is cached
      When 8 threads ask for the engine of "plans" at the same moment
      Then all threads have the cached engine
      And 1 engine has been created for "plans"

  @units-of-work
  Rule: Units of work and migration runners use the same cache

    @EC-06 @issue-7566
    Scenario: Units of work that open at the same moment share one engine
      When 16 units of work open "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all threads have the same engine

    @EC-07 @issue-3950 @issue-7566 @migrations
    Scenario: A unit of work and a migration runner that race for one URL share one engine
      When 1 unit of work and 1 migration runner open "plans" at the same moment
      Then 1 engine has been created for "plans"
      And all threads have the same engine

    @EC-20 @issue-3950 @migrations
    Scenario: Units of work and migration runners that race for the unnamed in-memory database share one engine
      Given the unnamed in-memory database, called "memory" here
      When 4 units of work and 4 migration runners open "memory" at the same moment
      Then 1 engine has been created for "memory"
      And all threads have the same engine

  Rule: A caller waits only while another thread creates the same engine

    @EC-08 @issue-7566
    Scenario: A second thread waits while the first thread creates the engine
      Given thread A is creating the engine of "plans"
      When thread B asks for the engine of "plans"
      Then thread B waits

    @EC-21 @issue-7566
    Scenario: A thread that waited for a creation gets the created engine
      Given thread A is creating the engine of "plans"
      And thread B has asked for the engine of "plans"
      When thread A finishes creating the engine of "plans"
      Then thread B has the same engine as thread A

    @EC-09
    Scenario: The creation of one engine does not block callers of another engine
      Given thread A is creating the engine of "plans"
      And an in-memory database "orders"
      When thread B asks for the engine of "orders"
      Then thread B gets an engine while thread A is still creating

    @EC-22
    Scenario: The creation of one engine does not block callers whose URL has the same hash code
      Given an in-memory database "orders" whose URL has the same hash code as that of "bills"
      And thread A is creating the engine of "bills"
      When thread B asks for the engine of "orders"
      Then thread B gets an engine while thread A is still creating

  Rule: No code outside the cache can hold its lock

    @EC-10 @issue-7566
    Scenario: A lock held outside the cache does not block the creation of an engine
      Given an outside thread holds the monitors of the cache, its class and the URL of "plans"
      When thread A asks for the engine of "plans"
      Then thread A gets an engine while the outside thread holds the monitors

    @EC-11 @issue-7566
    Scenario: A lock held outside the cache does not block callers of a cached engine
      Given an outside thread holds the monitors of the cache, its class, the URL and the engine of "plans"
      When thread A asks for the engine of "plans"
      Then thread A gets an engine while the outside thread holds the monitors

  Rule: A failed creation leaves nothing behind

    @EC-23
    Scenario: The thread that creates an engine gets the failure of its creation
      Given the first attempt to create the engine of "plans" fails
      When thread A asks for the engine of "plans"
      Then thread A gets the failure of the creation

    @EC-12
    Scenario: A caller after a failed creation gets a new engine
      Given the first attempt to create the engine of "plans" fails
      And thread A has asked for the engine of "plans"
      When thread B asks for the engine of "plans"
      Then the engine of thread B works

    @EC-24
    Scenario: A failed creation leaves no waiting thread behind
      Given the first attempt to create the engine of "plans" fails
      When 8 threads ask for the engine of "plans" at the same moment
      Then each thread has an engine or the failure of the creation

    @EC-13 @shared-failures
    Scenario: Every thread that waited for a failed creation gets its failure
      Given the first attempt to create the engine of "plans" fails
      When 8 threads ask for the engine of "plans" at the same moment
      Then each thread gets the failure of the creation

  @eviction
  Rule: A caller never gets a closed engine

    @EC-25
    Scenario: An eviction closes the engine
      Given the engine of "plans" is cached
      When thread A evicts the engine of "plans"
      Then the cached engine is closed

    @EC-14
    Scenario: A caller after an eviction gets a new engine
      Given the engine of "plans" is cached
      When thread A evicts the engine of "plans"
      And thread B asks for the engine of "plans"
      Then thread B has another engine than the cached one
      And the engine of thread B works
      And 2 engines have been created for "plans"

    @EC-15 @issue-3950 @issue-7566
    Scenario: A thread gets the engine it created even if another thread evicts the engine at once
      Given thread A is creating the engine of "plans"
      When thread B evicts the engine of "plans"
      And thread A finishes creating the engine of "plans"
      Then thread A has an engine

    @EC-26
    Scenario: A caller after an eviction during the creation gets a working engine
      Given thread A is creating the engine of "plans"
      When thread B evicts the engine of "plans"
      And thread A finishes creating the engine of "plans"
      And thread C asks for the engine of "plans"
      Then the engine of thread C works

    @EC-16 @stress
    Scenario: No caller gets an engine that was closed before the call
      When 3 threads keep asking for the engine of "plans" while another thread evicts the engine 30 times
      Then no thread has got an engine that was closed before the call

  @closing
  Rule: A closed cache leaves no engine open

    @EC-17
    Scenario: Closing the cache closes its engines
      Given the engine of "plans" is cached
      When thread A closes the cache
      Then the cached engine is closed

    @EC-18
    Scenario: A closed cache no longer returns a cached engine
      Given the engine of "plans" is cached
      And thread A has closed the cache
      When thread B asks for the engine of "plans"
      Then thread B gets a failure

    @EC-27
    Scenario: A closed cache creates no engine
      Given thread A has closed the cache
      When thread B asks for the engine of "plans"
      Then thread B gets a failure

    @EC-19
    Scenario: An engine whose creation ends after the close of the cache is not left open
      Given thread A is creating the engine of "plans"
      When thread B closes the cache
      And thread A finishes creating the engine of "plans"
      Then thread A has no open engine
