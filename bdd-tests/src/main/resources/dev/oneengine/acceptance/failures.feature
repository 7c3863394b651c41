@suite-1.0 @clear-failures
Feature: A failure names its database and shows no password

  Rule: A failure shows only the scheme of an unreadable URL, because the rest may contain a password

    @FA-01
    Scenario Outline: The failure for an unreadable URL names its scheme: <url>
      When a caller asks for the engine of the URL "<url>"
      Then the failure contains "<scheme>"

      Examples:
        | url                           | scheme           |
        | sqlite:plans.db               | sqlite:          |
        | sqlite://host/plans.db        | sqlite:          |
        | jdbc:sqlite:plans?mode=memory | jdbc:sqlite:     |
        | jdbc:sqlite:plans?a=1&a=1     | jdbc:sqlite:     |
        | jdbc:postgresql:              | jdbc:postgresql: |
        | postgresql://db:0/plans       | postgresql:      |
        | postgresql://db/plans/more    | postgresql:      |

    @FA-02
    Scenario Outline: The failure for an unreadable URL shows no password: <url>
      When a caller asks for the engine of the URL "<url>"
      Then the failure contains "<shown>"
      And the failure does not contain "hunter2"

      Examples:
        | url                                         | shown            |
        | mysql://joe:hunter2@db/plans                | mysql:           |
        | postgresql://joe:hunter2@db:x/plans         | postgresql:      |
        | postgresql://joe:hunter2@/plans             | postgresql:      |
        | postgresql:joe:hunter2@db/plans             | postgresql:      |
        | jdbc:postgresql://db/plans;password=hunter2 | jdbc:postgresql: |
        | host=db user=joe password=hunter2           | URL              |

  @postgresql
  Rule: A failure names the server that cannot be reached

    @FA-03
    Scenario: The failure to reach a server names the server and shows no password
      When a caller asks for the engine of the URL "postgresql://joe:hunter2@localhost:1/plans"
      Then the failure contains "localhost:1/plans"
      And the failure does not contain "hunter2"

  Rule: A failure names the engine that was closed

    @FA-04
    Scenario: The failure of a data source whose engine was closed names the URL
      Given an in-memory database "plans"
      And a caller keeps the data source of "plans" after the engine was closed
      When the caller uses the data source
      Then the failure names the URL of "plans"
