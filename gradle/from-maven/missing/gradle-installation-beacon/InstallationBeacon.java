package org.gradle.internal.installation.beacon;

/** Gradle finds its installation by the jar that this class comes from. */
public class InstallationBeacon {}
