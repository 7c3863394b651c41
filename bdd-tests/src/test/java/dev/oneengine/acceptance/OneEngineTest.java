package dev.oneengine.acceptance;

import org.junit.platform.suite.api.BeforeSuite;
import org.junit.platform.suite.api.ConfigurationParameter;

/** This library passes everything. */
@AcceptanceSuite
@ConfigurationParameter(
        key = "cucumber.plugin",
        value = "html:build/reports/cucumber/one-engine.html,"
                + "dev.oneengine.acceptance.report.Results:build/reports/cucumber/one-engine")
class OneEngineTest {
    @BeforeSuite
    static void choose() {
        AcceptanceKit.useService();
    }
}
