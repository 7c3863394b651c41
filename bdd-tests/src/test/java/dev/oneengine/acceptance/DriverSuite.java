package dev.oneengine.acceptance;

import dev.oneengine.acceptance.driver.Driver;
import java.nio.file.Path;
import org.junit.platform.suite.api.BeforeSuite;
import org.junit.platform.suite.api.ConfigurationParameter;

/** The scenarios against a program in any language: {@code ./gradlew acceptance -Pdriver='python3 my_driver.py'}. */
@AcceptanceSuite
@ConfigurationParameter(
        key = "cucumber.plugin",
        value = "html:build/reports/cucumber/driver.html,"
                + "dev.oneengine.acceptance.report.Results:build/reports/cucumber/driver")
class DriverSuite {
    @BeforeSuite
    static void choose() {
        String directory = System.getProperty("oneengine.driver.directory", "");
        AcceptanceKit.use(new Driver(System.getProperty("oneengine.driver", ""), Path.of(directory)));
    }
}
