package dev.oneengine.acceptance;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Makes a class a suite of JUnit Platform that runs all scenarios of the kit, four at a time. The class selects the
 * implementation in a method annotated with {@code @BeforeSuite}, unless a service provides the implementation.
 *
 * <p>Other annotations of Cucumber and of the suite engine can be added, such as {@code @IncludeTags} and a {@code
 * @ConfigurationParameter} for a report.
 */
@Suite
@IncludeEngines("cucumber")
@SelectPackages("dev.oneengine.acceptance")
@ConfigurationParameter(key = "cucumber.glue", value = "dev.oneengine.acceptance.glue")
@ConfigurationParameter(key = "cucumber.publish.quiet", value = "true")
@ConfigurationParameter(key = "cucumber.junit-platform.naming-strategy", value = "long")
@ConfigurationParameter(key = "cucumber.execution.parallel.enabled", value = "true")
@ConfigurationParameter(key = "cucumber.execution.parallel.config.strategy", value = "fixed")
@ConfigurationParameter(key = "cucumber.execution.parallel.config.fixed.parallelism", value = "4")
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface AcceptanceSuite {}
