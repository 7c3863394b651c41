#!/usr/bin/env bash
# Uses the staged artifacts as users do, on the JDK of JAVA_HOME or the PATH: a Gradle build with the BOM, a program on the module
# path, an image made by jlink, and, if mvn is installed, a Maven build. Run ./gradlew publish first.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
version=$(sed -n 's/^version=//p' gradle.properties)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
java=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}/bin
mkdir -p "$work/src/main/java/app"
cat > "$work/src/main/java/app/Main.java" <<'JAVA'
package app;

import dev.oneengine.cache.EngineCache;
import dev.oneengine.work.UnitOfWork;

public final class Main {
    public static void main(String[] args) throws Exception {
        try (EngineCache cache = EngineCache.create()) {
            UnitOfWork work = UnitOfWork.builder("sqlite:///:memory:").cache(cache).build();
            work.run(tx -> tx.connection().createStatement().execute("CREATE TABLE plan(id INTEGER)"));
            System.out.println("works in " + Main.class.getModule());
        }
    }
}
JAVA
cat > "$work/settings.gradle" <<'GRADLE'
rootProject.name = 'consumer'
GRADLE
cat > "$work/build.gradle" <<GRADLE
plugins { id 'application' }
repositories {
    maven { url = uri('$root/build/staging') }
    mavenCentral()
}
dependencies {
    implementation platform('dev.oneengine:one-engine-bom:$version')
    implementation 'dev.oneengine:unit-of-work'
    implementation 'dev.oneengine:engine-cache'
}
application { mainClass = 'app.Main' }
tasks.register('modules', Sync) {
    into layout.buildDirectory.dir('modules')
    into('compile') { from configurations.compileClasspath }
    into('run') { from configurations.runtimeClasspath }
}
GRADLE
works() { grep -q "works in $1" "$work/out" || { cat "$work/out"; return 1; }; }

./gradlew -q -p "$work" run modules > "$work/out" 2>&1 || { cat "$work/out"; exit 1; }
works 'unnamed module'
echo 'ok: Gradle with the BOM'

modules=$work/build/modules/run
mkdir "$work/jpms"
echo 'module app { requires dev.oneengine.work; }' > "$work/module-info.java"
"$java/javac" -p "$work/build/modules/compile" -d "$work/jpms" "$work/module-info.java" "$work/src/main/java/app/Main.java"
"$java/java" -p "$modules:$work/jpms" -m app/app.Main > "$work/out" 2>&1
works 'module app'
echo 'ok: the module path'

"$java/jlink" -p "$modules:$work/jpms" --add-modules app --launcher app=app/app.Main --output "$work/image"
"$work/image/bin/app" > "$work/out" 2>&1
works 'module app'
echo "ok: an image of $(du -sm "$work/image" | cut -f 1) MB made by jlink"

if command -v mvn > /dev/null; then
    cat > "$work/pom.xml" <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId><artifactId>app</artifactId><version>1</version>
  <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
  <repositories><repository><id>staging</id><url>file://$root/build/staging</url></repository></repositories>
  <dependencyManagement><dependencies><dependency><groupId>dev.oneengine</groupId><artifactId>one-engine-bom</artifactId>
    <version>$version</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>
  <dependencies><dependency><groupId>dev.oneengine</groupId><artifactId>unit-of-work</artifactId></dependency></dependencies>
</project>
XML
    mvn -q -B -f "$work/pom.xml" -Dmaven.repo.local="$work/m2" compile > "$work/out" 2>&1 \
        || { tail -20 "$work/out"; exit 1; }
    test -f "$work/target/classes/app/Main.class"
    echo 'ok: Maven with the BOM'
    # The acceptance kit as its README shows it, with the oldest and the newest JUnit.
    mkdir -p "$work/kit/src/test/java/app"
    for class in MyCache MyCacheTest MyEngine; do
        sed 's/^package .*/package app;\nimport dev.oneengine.acceptance.*;/' \
            "bdd-tests/src/test/java/dev/oneengine/acceptance/$class.java" > "$work/kit/src/test/java/app/$class.java"
    done
    fragment=$(sed -n '/^```xml/,/^```/{/^```/d;p}' bdd-tests/README.md)
    for junit in 5.13.4 6.1.3; do
        cat > "$work/kit/pom.xml" <<XML
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId><artifactId>kit</artifactId><version>1</version>
  <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
  <repositories><repository><id>staging</id><url>file://$root/build/staging</url></repository></repositories>
  $(sed "s|6.1.3|$junit|; s|\(<artifactId>bdd-tests</artifactId><version>\)[^<]*|\1$version|; s|^<dependencies>|&\
    <dependency><groupId>dev.oneengine</groupId><artifactId>engine-cache</artifactId><version>$version</version></dependency>|" \
        <<< "$fragment")
</project>
XML
        mvn -q -B -f "$work/kit/pom.xml" -Dmaven.repo.local="$work/m2" -Dsurefire.useFile=false test > "$work/out" 2>&1 \
            || { tail -40 "$work/out"; exit 1; }
        grep -q 'by the ability that the implementation does not offer' "$work/out" || { tail -40 "$work/out"; exit 1; }
        scenarios=$(grep -ho '<testsuite [^>]*' "$work"/kit/target/surefire-reports/*.xml | sed 's/.* tests="\([0-9]*\)".*/\1/')
        [ "$scenarios" -gt 50 ]
        echo "ok: the acceptance kit with Maven and JUnit $junit, $scenarios scenarios"
        rm -rf "$work/kit/target"
    done
fi
