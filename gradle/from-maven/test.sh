#!/usr/bin/env bash
#
# Tests ./gradlew on networks that are simulated with files, in temporary directories and with Gradle user homes of their own.
# Needs the artifacts in a Maven repository's reach. Prints a line per case; fails if one of them failed.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
top=$(mktemp -d)
temp="$top/with space" # so that all cases cover that
revision=$(cat "$here/revision")
java=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
old=$(java -XshowSettings:properties -version 2>&1 | grep -cE 'java.specification.version = (1[7-9]|2[0-2])$')
passed=0
failed=0
unset GRADLE_OPTS JAVA_OPTS GRADLE_USER_HOME
trap 'rm -rf "$top"' EXIT
trap 'exit 1' INT TERM

# check WHAT CONDITION..., report NAME: a case passes if all checks since the last report did.
problems=
check() { "${@:2}" || problems="$problems; $1"; }
report() {
    if [ -z "$problems" ]; then
        passed=$((passed + 1))
        echo "ok      $1"
    else
        failed=$((failed + 1))
        echo "FAILED  $1: ${problems#; }"
        sed 's/^/          | /' "$temp/out" "$temp/err" 2> /dev/null
    fi
    problems=
}
not() { ! "$@"; }
says() { grep -qF -- "$1" "$temp/err"; }
silent() { [ ! -s "$temp/err" ]; }
output_is() { [ "$(cat "$temp/out")" = "$1" ]; }
only_installation_in() { [ "$(find "$1/from-maven" -mindepth 1 -maxdepth 1 ! -name lock)" = "$1/from-maven/$revision" ]; }
nothing_in() { [ -z "$(find "$1/from-maven" -mindepth 1 ! -name lock 2> /dev/null)" ]; }
exists() { compgen -G "$1" > /dev/null; }
wait_for() {
    local deadline=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.05
    done
}

# project NAME URL: a project with the files under test, whose wrapper downloads from URL.
project() {
    mkdir -p "$temp/$1/gradle"
    cp -R "$root/gradlew" "$temp/$1"
    cp -R "$root/gradle/wrapper" "$root/gradle/from-maven" "$temp/$1/gradle"
    sed "/distributionSha256Sum/d;s|^distributionUrl=.*|distributionUrl=$2|" "$root/gradle/wrapper/gradle-wrapper.properties" \
        > "$temp/$1/gradle/wrapper/gradle-wrapper.properties"
    echo "rootProject.name = 'sample'" > "$temp/$1/settings.gradle"
    echo "tasks.register('hello') { doLast { println 'hello' } }" > "$temp/$1/build.gradle"
}
# start PROJECT HOME ARGUMENT...: sets status, and leaves the output in out and err.
start() {
    (cd "$temp/$1" && HOME="$temp/$2" exec ./gradlew -Duser.home="$temp/user" "${@:3}") > "$temp/out" 2> "$temp/err" < /dev/null
    status=$?
}
status_is() { [ "$status" = "$1" ]; }

# A Maven repository in a directory, which is a mirror in settings.xml: all artifacts come from there.
mkdir -p "$temp/user/.m2" "$temp/mirror/t/t/1"
while read -r _ coordinates; do
    IFS=: read -r group name version <<< "$coordinates"
    path=${group//.//}/$name/$version/$name-$version.jar
    mkdir -p "$temp/mirror/${path%/*}"
    cp "$HOME/.m2/repository/$path" "$temp/mirror/$path" 2> /dev/null \
        || curl -fsS -o "$temp/mirror/$path" "https://repo.maven.apache.org/maven2/$path"
done < "$here/artifacts.txt"
echo '<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version></project>' \
    > "$temp/mirror/t/t/1/t-1.pom"
echo content > "$temp/mirror/t/t/1/t-1.jar"
echo "<settings><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>file://\${env.MIRROR}</url></mirror></mirrors></settings>" \
    > "$temp/user/.m2/settings.xml"
export MIRROR="${temp// /%20}/mirror"

current=8.8-$(cd "$here" && cat GradleFromMaven.java artifacts.txt init.gradle | cksum | cut -d ' ' -f 1)
check "its inputs have changed: write $current into it" test "$revision" = "$current"
report "the revision belongs to what an installation is made from"

unreachable='http\\://127.0.0.1\\:1/gradle-8.8-bin.zip'
project one "$unreachable"
cat >> "$temp/one/build.gradle" <<'GRADLE'
repositories { mavenCentral() }
configurations { some }
dependencies { some 't:t:1' }
tasks.register('files') {
    def files = configurations.some
    doLast { files.each { println it.name } }
}
GRADLE
start one home --no-daemon -q hello files
check "exit code $status" status_is 0
check "standard output is not clean" output_is $'hello\nt-1.jar'
check "no line with the size" says "200 MB"
check "more than one line" test "$(grep -vc '^  ' "$temp/err")" = 1
check "the wrapper's cache was touched" not test -e "$temp/home/.gradle/wrapper"
check "not just the installation" only_installation_in "$temp/home/.gradle"
report "a first start without Gradle's site assembles Gradle and builds, all from the mirror in Maven's settings"

start one home --offline --version
check "exit code $status" status_is 0
check "it said something" silent
report "the next start neither asks nor assembles"

(cd "$temp" && "$java/bin/jar" --extract --file "home/.gradle/from-maven/$revision/lib/gradle-api-8.8.jar" gradle-wrapper.jar)
check "they differ" cmp -s "$temp/gradle-wrapper.jar" "$root/gradle/wrapper/gradle-wrapper.jar"
report "the wrapper's jar is the one in Gradle's own, whose checksum was verified"

project two "$unreachable"
(cd "$temp/two" && HOME="$temp/shared" ./gradlew -Duser.home="$temp/user" --version) > "$temp/two/out" 2>&1 &
other=$!
start one shared --version
check "exit code $status" status_is 0
check "the other one failed" wait "$other"
cat "$temp/two/out" >> "$temp/err"
check "not assembled exactly once" test "$(grep -c "200 MB, once" "$temp/err")" = 1
check "not just the installation" only_installation_in "$temp/shared/.gradle"
report "two first starts at once assemble once"

for moment in artifacts gradle/lib; do
    (cd "$temp/one" && HOME="$temp/killed" exec ./gradlew -Duser.home="$temp/user" --version) > "$temp/out" 2>&1 &
    killed=$!
    check "it did not come that far" wait_for exists "$temp/killed/.gradle/from-maven/*.partial/$moment/gradle-api-8.8.jar"
    kill -9 "$killed"
    wait "$killed" 2> /dev/null
    check "the kill left nothing behind" exists "$temp/killed/.gradle/from-maven/*.partial"
    start one killed --version
    check "exit code $status" status_is 0
    check "not just the installation" only_installation_in "$temp/killed/.gradle"
    report "a start after one that was killed with $moment half-way removes the leftovers and begins anew"
    rm "$temp/killed/.gradle/from-maven/$revision/lib/gradle-api-8.8.jar"
done
start one killed --version
check "exit code $status" status_is 0
report "an installation that lost a jar is made anew"

project tampered "$unreachable"
sed -i.bak '/:gradle-api:/s/^..../0000/' "$temp/tampered/gradle/from-maven/artifacts.txt"
start tampered refused --version
check "exit code $status" status_is 1
check "no word of the checksum" says "gradle-api-8.8.jar has SHA-256 d2720b0feb36272c7d311003a14d77ec108603c38c301329791f6ceedb6396f5"
check "something is left" nothing_in "$temp/refused/.gradle"
report "another checksum is rejected"

MIRROR=/nowhere start one refused --version
check "exit code $status" status_is 1
check "no reason for the mirror" says "/nowhere"
check "no advice" says "Let this machine reach one of the two"
check "something is left" nothing_in "$temp/refused/.gradle"
report "where Maven artifacts are out of reach, too, it says what to do"

mkdir -p "$temp/fake/classes/org/gradle/launcher" "$temp/fake/gradle-8.8/lib"
echo 'package org.gradle.launcher; public class GradleMain { public static void main(String[] a) { System.out.println("stock"); } }' \
    > "$temp/fake/GradleMain.java"
(cd "$temp/fake" && "$java/bin/javac" --release 17 -d classes GradleMain.java \
    && "$java/bin/jar" -cf gradle-8.8/lib/gradle-launcher-8.8.jar -C classes org && "$java/bin/jar" -cMf gradle-8.8-bin.zip gradle-8.8)
project stock "file\\\\:${temp// /%20}/fake/gradle-8.8-bin.zip"
start stock stock -q hello
check "exit code $status" status_is 0
check "not the right one" output_is "$([ "$old" = 1 ] && echo stock || echo hello)"
report "where the site answers, the stock wrapper downloads, but not for a JDK newer than Gradle supports"
start stock stock -q hello
check "exit code $status" status_is 0
check "it said something" silent
check "not the right one" output_is "$([ "$old" = 1 ] && echo stock || echo hello)"
report "the next start takes the same one"

mkdir -p "$temp/jdk11/bin" "$temp/home/.gradle/jdks"
echo 'JAVA_VERSION="11.0.1"' > "$temp/jdk11/release"
printf '#!/bin/sh\n' | tee "$temp/jdk11/bin/java" > "$temp/jdk11/bin/javac"
chmod +x "$temp"/jdk11/bin/*
ln -s "$java" "$temp/home/.gradle/jdks/usable"
JAVA_HOME="$temp/jdk11" start one home --version
check "exit code $status" status_is 0
check "no word of it" says "$temp/jdk11 is no JDK 17 or later: using $temp/home/.gradle/jdks/usable"
report "instead of a JDK that is too old it uses another one"

sed -i.bak 's| /usr/lib/jvm/\*.*;| ;|; s|/Library/Java/[^ ]*||' "$temp/one/gradle/from-maven/select.sh"
JAVA_HOME="$temp/jdk11" start one lonely --version
check "exit code $status" status_is 1
check "no word of it" says "This build needs a JDK, version 17 or later"
report "without another one it says how to get one"

mkdir -p "$temp/jdk99"
ln -s "$java/bin" "$java/lib" "$java/conf" "$temp/jdk99"
echo 'JAVA_VERSION="99"' > "$temp/jdk99/release"
JAVA_HOME="$temp/jdk99" start one home --version
check "exit code $status" status_is 0
check "no warning" says "JDK 99 is newer than those"
report "a JDK newer than all known ones is tried, with a warning"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
