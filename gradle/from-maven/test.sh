#!/usr/bin/env bash
#
# Tests ./gradlew on networks that are simulated on this machine, in temporary directories and with Gradle user homes of their
# own. Needs a JDK 17 to 22, mvn, and the artifacts in Maven's reach. Prints a line per case; fails if one of them failed.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# The directory's name has a space, so that all cases cover that.
top=$(mktemp -d)
temp="$top/with space"
mkdir "$temp" "$temp/site" "$temp/bin"
limit=180
passed=0
failed=0

unset GRADLE_OPTS JAVA_OPTS GRADLE_USER_HOME
mvn=$(command -v mvn) || { echo "test.sh needs mvn" >&2; exit 1; }
with_limit() { "$@"; }
if command -v timeout > /dev/null; then
    with_limit() { timeout -k 5 "$limit" "$@"; }
fi

clean_up() {
    {
        jobs -p | xargs kill -9
        wait
    } 2> /dev/null
    rm -rf "$top"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# report NAME: passes if all checks since the last report did, otherwise shows the output of the last start.
problems=
check() {
    local what=$1
    shift
    "$@" || problems="$problems; $what"
}
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
# says TEXT, silent_about TEXT: whether the last start wrote it to standard error.
says() { grep -qF -- "$1" "$temp/err"; }
silent_about() { ! says "$1"; }
output_is() { [ "$(cat "$temp/out")" = "$1" ]; }
lines_in_err() { [ "$(grep -c . "$temp/err")" = "$1" ]; }
nothing_in() { [ -z "$(find "$1/from-maven" ! -name lock ! -path "$1/from-maven" 2> /dev/null)" ]; }
only_installation_in() { [ "$(find "$1/from-maven" -mindepth 1 -maxdepth 1 ! -name lock)" = "$1/from-maven/$revision" ]; }
wait_for() {
    local deadline=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.05
    done
}
exists() { compgen -G "$1" > /dev/null; }

# project NAME URL: a project with the files under test, whose wrapper downloads from URL.
project() {
    local dir="$temp/$1"
    mkdir -p "$dir/gradle"
    cp -R "$root/gradlew" "$dir"
    cp -R "$root/gradle/wrapper" "$root/gradle/from-maven" "$dir/gradle"
    sed "s|^distributionUrl=.*|distributionUrl=${2/:/\\\\:}|" "$root/gradle/wrapper/gradle-wrapper.properties" \
        > "$dir/gradle/wrapper/gradle-wrapper.properties"
    echo "rootProject.name = 'sample'" > "$dir/settings.gradle"
    echo "tasks.register('hello') { doLast { println 'hello' } }" > "$dir/build.gradle"
}
# start PROJECT HOME ARGUMENT...: sets status, and leaves the output in out and err.
start() {
    local dir="$temp/$1" home="$temp/$2"
    shift 2
    (cd "$dir" && GRADLE_USER_HOME=$home with_limit ./gradlew "$@") > "$temp/out" 2> "$temp/err" < /dev/null
    status=$?
}
succeeded() { [ "$status" = 0 ]; }
refused() { [ "$status" = 1 ]; }
# fake_mvn DIRECTORY: takes a script from standard input for mvn.
fake_mvn() {
    mkdir -p "$temp/$1"
    { echo '#!/bin/sh'; cat; } > "$temp/$1/mvn"
    chmod +x "$temp/$1/mvn"
}

java "$here/TestServer.java" "$temp/site" "$temp/requests" > "$temp/ports" &
wait_for test -s "$temp/ports" || { echo "the test server does not start" >&2; exit 1; }
read -r files silent < "$temp/ports"
zip=distributions/gradle-8.8-bin.zip
revision=$(cat "$here/revision")

# --- what lies in the repository ---

current=8.8-$(cd "$here" && cat GradleFromMaven.java artifacts.txt init.d/* missing/*/* | cksum | cut -d ' ' -f 1)
check "its inputs have changed: write $current into it" test "$revision" = "$current"
report "the revision belongs to what an installation is made from"

sha256() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
(cd "$root/gradle/wrapper" && sha256 -c gradle-wrapper.jar.sha256) > "$temp/out" 2> "$temp/err"
check "not the pinned checksum" test $? = 0
report "the wrapper's jar is the stock one"

# --- the Maven way ---

project first "http://127.0.0.1:$files/$zip"
: > "$temp/requests"
start first home --no-daemon -q hello
check "exit code $status" succeeded
check "standard output is not clean" output_is hello
check "no line with the size" says "200 MB"
check "more than one line" lines_in_err 1
check "not one request to the site" test "$(cat "$temp/requests")" = "/$zip"
check "the wrapper's cache was touched" not test -e "$temp/home/wrapper"
check "not just the installation" only_installation_in "$temp/home"
report "a first start without Gradle's site assembles Gradle and builds"

(cd "$temp" && jar --extract --file "home/from-maven/$revision/lib/gradle-api-8.8.jar" gradle-wrapper.jar)
check "they differ" cmp -s "$temp/gradle-wrapper.jar" "$root/gradle/wrapper/gradle-wrapper.jar"
report "the wrapper's jar is the one in Gradle's own, whose checksum was verified"

: > "$temp/requests"
start first home --version
check "exit code $status" succeeded
check "it said something" lines_in_err 0
check "it asked the site" not test -s "$temp/requests"
report "the next start does neither ask nor assemble"

mkdir -p "$temp/m2home/.m2" "$temp/site/a&b/a&b/t/t/1"
cat > "$temp/m2home/.m2/settings.xml" <<XML
<settings><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>\${env.MIRROR}/a&amp;b</url></mirror></mirrors></settings>
XML
echo '<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version></project>' \
    > "$temp/site/a&b/a&b/t/t/1/t-1.pom"
echo content > "$temp/site/a&b/a&b/t/t/1/t-1.jar"
project mirrored "http://127.0.0.1:1/$zip"
cat > "$temp/mirrored/build.gradle" <<'GRADLE'
repositories { mavenCentral() }
configurations { some }
dependencies { some 't:t:1' }
tasks.register('hello') {
    def files = configurations.some
    doLast { files.each { println it.name } }
}
GRADLE
MIRROR="http://127.0.0.1:$files/a&b" start mirrored home --no-daemon -q --warning-mode=fail -Duser.home="$temp/m2home" hello
check "exit code $status" succeeded
check "the artifact is not there" output_is t-1.jar
report "mavenCentral() is the mirror in Maven's settings"

project one "http://127.0.0.1:1/$zip"
project two "http://127.0.0.1:1/$zip"
(cd "$temp/one" && GRADLE_USER_HOME="$temp/shared" with_limit ./gradlew --version) > "$temp/one/out" 2>&1 &
one=$!
start two shared --version
check "exit code $status" succeeded
check "the other one failed" wait "$one"
cat "$temp/one/out" >> "$temp/err"
check "not assembled exactly once" test "$(grep -c "200 MB" "$temp/err")" = 1
check "not just the installation" only_installation_in "$temp/shared"
report "two first starts at once assemble once"

(cd "$temp/one" && exec env GRADLE_USER_HOME="$temp/killed" ./gradlew --version) > "$temp/out" 2>&1 &
one=$!
check "it did not come to copying" wait_for exists "$temp/killed/from-maven/*.partial/gradle/lib/gradle-api-8.8.jar"
kill -9 "$one"
wait "$one" 2> /dev/null
check "the kill left nothing behind" exists "$temp/killed/from-maven/*.partial"
start one killed --version
check "exit code $status" succeeded
check "not just the installation" only_installation_in "$temp/killed"
report "a start after a killed one begins anew and removes what that left"

rm "$temp/killed/from-maven/$revision/lib/gradle-api-8.8.jar"
start one killed --version
check "exit code $status" succeeded
check "not just the installation" only_installation_in "$temp/killed"
check "it is still incomplete" test -f "$temp/killed/from-maven/$revision/lib/gradle-api-8.8.jar"
report "an installation that has lost a jar is made anew"

fake_mvn hanging <<SH
echo \$\$ > "$temp/hanging.pid"
exec sleep 100
SH
(cd "$temp/one" && PATH="$temp/hanging:$PATH" exec env GRADLE_USER_HOME="$temp/terminated" ./gradlew --version) > "$temp/out" 2>&1 &
one=$!
check "it did not come to Maven" wait_for test -s "$temp/hanging.pid"
kill "$one"
wait "$one" 2> /dev/null
check "Maven goes on" wait_for not kill -0 "$(cat "$temp/hanging.pid")" 2> /dev/null
check "something is left" nothing_in "$temp/terminated"
report "a terminated start ends its Maven and leaves nothing"

# --- refusals ---

project tampered "http://127.0.0.1:1/$zip"
sed -i.bak '/:gradle-api:/s/^..../0000/' "$temp/tampered/gradle/from-maven/artifacts.txt"
start tampered refused --version
check "exit code $status" refused
check "no word of the checksum" says "gradle-api-8.8.jar has SHA-256 d2720b0feb36272c7d311003a14d77ec108603c38c301329791f6ceedb6396f5"
check "something is left" nothing_in "$temp/refused"
report "another checksum is refused"

cat > "$temp/dead.xml" <<'XML'
<settings><mirrors><mirror><id>dead</id><mirrorOf>*</mirrorOf><url>http://127.0.0.1:1/</url></mirror></mirrors></settings>
XML
fake_mvn dead <<SH
exec "$mvn" --settings "$temp/dead.xml" "-Dmaven.repo.local=$temp/empty" "\$@"
SH
PATH="$temp/dead:$PATH" start one refused --version
check "exit code $status" refused
check "not Gradle's reason" says "ConnectException"
check "not Maven's reason" says "127.0.0.1:1"
check "no advice" says "One of these helps"
check "something is left" nothing_in "$temp/refused"
report "where Maven reaches nothing either, it says what to do"

PATH="$temp/dead:$PATH" start one refused --offline --version
check "exit code $status" refused
check "not the reason" says "--offline"
report "--offline with nothing there is refused"

mkdir "$temp/no-mvn"
for tool in sh env uname ls sed tr xargs readlink grep dirname java timeout; do
    command -v "$tool" > /dev/null && ln -s "$(command -v "$tool")" "$temp/no-mvn/$tool"
done
(unset MAVEN_HOME M2_HOME; PATH="$temp/no-mvn" start one refused --version; exit "$status")
status=$?
check "exit code $status" refused
check "not the reason" says "there is no mvn on the PATH"
report "without mvn it says so"

# --- the site ---

fake_mvn failing <<< 'exit 1'
project hole "http://127.0.0.1:$silent/$zip"
begin=$SECONDS
PATH="$temp/failing:$PATH" start hole refused --version
check "took $((SECONDS - begin)) s" test $((SECONDS - begin)) -le 60
check "exit code $status" refused
check "not the reason" says "no answer within 5 seconds"
report "a site that never answers is given up"

mkdir -p "$temp/site/portal" "$temp/fake/bin" "$temp/fake/classes/org/gradle/launcher"
echo '<html>Please log in' > "$temp/site/portal/gradle-8.8-bin.zip"
project portal "http://127.0.0.1:$files/portal/gradle-8.8-bin.zip"
PATH="$temp/failing:$PATH" start portal refused --version
check "exit code $status" refused
check "not the reason" says "something else"
report "a captive portal is not taken for Gradle's site"

echo 'package org.gradle.launcher; public class GradleMain { public static void main(String[] a) { System.out.println("stock"); } }' \
    > "$temp/fake/GradleMain.java"
mkdir -p "$temp/fake/gradle-8.8/lib" "$temp/fake/gradle-8.8/bin" "$temp/site/distributions"
touch "$temp/fake/gradle-8.8/bin/gradle"
(cd "$temp/fake" && javac --release 17 -d classes GradleMain.java \
    && jar --create --file gradle-8.8/lib/gradle-launcher-8.8.jar -C classes org \
    && jar --create --no-manifest --file "$temp/site/$zip" gradle-8.8)
project stock "http://127.0.0.1:$files/$zip"
sed -i.bak /distributionSha256Sum/d "$temp/stock/gradle/wrapper/gradle-wrapper.properties"
PATH="$temp/failing:$PATH" start stock stock-home -q
check "exit code $status" succeeded
check "not the stock wrapper" grep -q '^stock$' "$temp/out"
check "something of its own" not test -e "$temp/stock-home/from-maven"
report "where the site answers, the stock wrapper downloads"

mkdir -p "$temp/complete/wrapper/dists"
directory=$(sed -n 's|^distribution=.*/\(gradle-8.8-bin/[^/]*\)/.*|\1|p' "$here/select.sh")
mkdir -p "$temp/complete/wrapper/dists/$directory"
cp -R "$temp/fake/gradle-8.8" "$temp/complete/wrapper/dists/$directory"
touch "$temp/complete/wrapper/dists/$directory/gradle-8.8-bin.zip.ok"
project unchanged "$(sed -n 's|^distributionUrl=\(.*\)\\:|\1:|p' "$root/gradle/wrapper/gradle-wrapper.properties")"
start unchanged complete -q
check "exit code $status" succeeded
check "not the stock wrapper" output_is stock
report "a distribution that the wrapper has already is used, and select.sh knows its directory"

# --- the JDK ---

mkdir -p "$temp/jdk25/bin" "$temp/jre/bin"
echo 'JAVA_VERSION="25.0.1"' > "$temp/jdk25/release"
echo 'JAVA_VERSION="17.0.1"' > "$temp/jre/release"
touch "$temp/jdk25/bin/java" "$temp/jdk25/bin/javac" "$temp/jre/bin/java"
chmod +x "$temp"/j*/bin/*
java=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
mkdir -p "$temp/home/jdks"
ln -s "$java" "$temp/home/jdks/usable"
JAVA_HOME="$temp/jdk25" start first home --version
check "exit code $status" succeeded
check "no word of it" says "$temp/jdk25 is 25, but Gradle 8.8 needs a JDK 17 to 22: using "
check "more than one line" lines_in_err 1
report "under a JDK that Gradle does not run on, it uses another one"

fake_mvn shim <<< ''
mv "$temp/shim/mvn" "$temp/shim/java"
echo "exec \"$java/bin/java\" \"\$@\"" >> "$temp/shim/java"
(unset JAVA_HOME; PATH="$temp/shim:$PATH" start first home --version; exit "$status")
status=$?
check "exit code $status" succeeded
check "it said something" lines_in_err 0
report "a java command that is a script is asked for its JDK"

project lonely "http://127.0.0.1:1/$zip"
sed -i.bak 's/for wanted in .*;/for wanted in ;/' "$temp/lonely/gradle/from-maven/select.sh"
JAVA_HOME="$temp/jdk25" start lonely home --version
check "exit code $status" refused
check "no word of it" says "needs a JDK 17 to 22: set JAVA_HOME"
check "more than one line" lines_in_err 1
report "without another one it says what to set"

JAVA_HOME="$temp/jre" start lonely home --version
check "exit code $status" refused
check "no word of it" says "$temp/jre is no JDK"
report "a Java without a compiler is not enough"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
