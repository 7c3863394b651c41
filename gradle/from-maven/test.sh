#!/usr/bin/env bash
#
# Tests ./gradlew on networks that are simulated with files, in temporary directories and with separate Gradle user homes.
# Needs access to a Maven repository with the artifacts. Prints a line per case; fails if one of them failed.
# shellcheck disable=SC2016 # conditions are evaluated by verify
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
top=$(mktemp -d)
temp="$top/with space" # so that all cases cover that
revision=$(cat "$here/revision")
java=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
passed=0 failed=0
trap 'rm -rf "$top"' EXIT

# verify TITLE COMMAND...: a case passes if all its commands succeed.
verify() {
    local title=$1 command problems=
    for command in "${@:2}"; do eval "$command" || problems="$problems; $command"; done
    if [ -z "$problems" ]; then
        passed=$((passed + 1))
        echo "ok      $title"
    else
        failed=$((failed + 1))
        echo "FAILED  $title: ${problems#; }"
        sed 's/^/          | /' "$temp/out" "$temp/err"
    fi
}
# start STATUS PROJECT HOME ARGUMENT...: leaves the output in out and err.
start() { launch "${@:2}" > "$temp/out" 2> "$temp/err"; [ $? = "$1" ]; }
launch() { (cd "$temp/$1" && HOME="$temp/$2" exec ./gradlew -Duser.home="$temp/user" "${@:3}" < /dev/null); }
prints() { [ "$(cat "$temp/out")" = "$1" ]; }
says() { grep -qF -- "$1" "$temp/err"; }
is_silent() { [ ! -s "$temp/err" ]; }
# has HOME FILES: only these files are in its directory from-maven, and none in the wrapper's cache.
has() { [ "$(ls "$temp/$1/.gradle/from-maven")" = "$2" ] && [ ! -e "$temp/$1/.gradle/wrapper" ]; }

# project NAME URL: a project with the files under test, whose wrapper downloads from URL.
project() {
    mkdir -p "$temp/$1/gradle"
    cp "$root/gradlew" "$temp/$1"
    cp -R "$root/gradle/wrapper" "$here" "$temp/$1/gradle"
    sed -i.bak "/distributionSha256Sum/d;s|^distributionUrl=.*|distributionUrl=$2|" "$temp/$1/gradle/wrapper/gradle-wrapper.properties"
    echo "rootProject.name = 'sample'" > "$temp/$1/settings.gradle"
    cat > "$temp/$1/build.gradle"
}

# A Maven repository in a directory, which is a mirror in settings.xml: all artifacts come from there.
project fetch '' <<'GRADLE'
repositories { mavenCentral { metadataSources { artifact() } } }
configurations { jars }
dependencies { file('gradle/from-maven/artifacts.txt').eachLine { jars it.split(' +')[1] } }
configurations.jars.resolvedConfiguration.resolvedArtifacts.each { artifact ->
    def id = artifact.moduleVersion.id
    copy { from artifact.file; into "../mirror/${id.group.replace('.', '/')}/$id.name/$id.version" }
}
GRADLE
"$root/gradlew" -q --project-dir "$temp/fetch" > /dev/null || exit
unset GRADLE_OPTS JAVA_OPTS GRADLE_USER_HOME
mkdir -p "$temp/user/.m2" "$temp/mirror/t/t/1"
echo content > "$temp/mirror/t/t/1/t-1.jar"
echo "<settings><mirrors><mirror><id>m</id><mirrorOf>*</mirrorOf><url>file://\${env.MIRROR}</url></mirror></mirrors></settings>" \
    > "$temp/user/.m2/settings.xml"
export MIRROR="${temp// /%20}/mirror"

current=8.8-$(cd "$here" && cat GradleFromMaven.java artifacts.txt init.gradle | cksum | cut -d ' ' -f 1)
verify "the revision is the checksum of the sources of an installation: $current" '[ "$revision" = "$current" ]'

unreachable='http\\://127.0.0.1\\:1/gradle-8.8-bin.zip'
project one "$unreachable" <<'GRADLE'
repositories { mavenCentral { metadataSources { artifact() } } }
configurations { some }
dependencies { some 't:t:1' }
tasks.register('files') {
    def files = configurations.some
    doLast { files.each { println it.name } }
}
GRADLE
verify "without Gradle's site, the first start assembles Gradle and builds, only from the mirror in Maven's settings" \
    'start 0 one home --no-daemon -q files' 'prints t-1.jar' 'says "200 MB"' '[ "$(grep -vc "^  " "$temp/err")" = 1 ]' \
    'has home "$revision"$'"'\nlock'"
verify "the next start prints nothing and assembles nothing" 'start 0 one home --offline --version' is_silent
verify "the compiled classes run on JDK 17, whose class files have version 61" \
    '[ "$(od -An -tu1 -j7 -N1 "$temp/home/.gradle/from-maven/$revision/lib/from-maven/GradleFromMaven.class")" -eq 61 ]'
verify "the jar of the wrapper equals the jar in Gradle's API jar, whose checksum was verified" \
    '(cd "$temp" && "$java/bin/jar" --extract --file "home/.gradle/from-maven/$revision/lib/gradle-api-8.8.jar" gradle-wrapper.jar)' \
    'cmp "$temp/gradle-wrapper.jar" "$root/gradle/wrapper/gradle-wrapper.jar"'

launch one shared --version > "$temp/other" 2>&1 &
verify "two concurrent first starts assemble Gradle once" 'start 0 one shared --version' "wait $!" \
    '[ "$(cat "$temp/err" "$temp/other" | grep -c "200 MB, once")" = 1 ]' 'has shared "$revision"$'"'\nlock'"

for moment in gradle-api-8.8.jar plugins; do
    launch one "killed-$moment" --version > "$temp/out" 2>&1 &
    until [ -e "$temp/killed-$moment/.gradle/from-maven/partial/lib/$moment" ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
    verify "a start killed after it has created $moment leaves its partial work, but no installation" \
        "kill -9 $!; ! wait $! 2> /dev/null" 'has "killed-$moment" $'"'lock\npartial'"
    verify "the next start removes the remains and assembles Gradle" \
        'start 0 one "killed-$moment" --version' 'has "killed-$moment" "$revision"$'"'\nlock'"
done

rm "$temp/killed-plugins/.gradle/from-maven/$revision/lib/gradle-api-8.8.jar"
verify "an installation with a missing jar is assembled again" 'start 0 one killed-plugins --version' 'says "200 MB"'

project tampered "$unreachable" < /dev/null
sed -i.bak '/:gradle-api:/s/^..../0000/' "$temp/tampered/gradle/from-maven/artifacts.txt"
verify "an artifact with a wrong checksum is rejected" 'start 1 tampered refused --version' 'has refused lock' \
    'says "gradle-api-8.8.jar: java.io.IOException: its SHA-256 is d2720b0feb36272c7d311003a14d77ec108603c38c301329791f6ceedb6396f5"'
verify "without access to Maven artifacts, the message names the remedy" \
    'MIRROR=/nowhere start 1 one refused --version' 'has refused lock' 'says /nowhere' 'says "Let this machine reach one of the two"'

mkdir -p "$temp/gradle-8.8/lib"
echo 'package org.gradle.launcher; public class GradleMain { public static void main(String[] a) { System.out.print("stock"); } }' \
    > "$temp/GradleMain.java"
(cd "$temp" && "$java/bin/javac" --release 17 -d classes GradleMain.java \
    && "$java/bin/jar" -cf gradle-8.8/lib/gradle-launcher-8.8.jar -C classes org && "$java/bin/jar" -cMf gradle-8.8-bin.zip gradle-8.8)
project stock "file\\\\:${temp// /%20}/gradle-8.8-bin.zip" <<< "tasks.register('hello') { doLast { print 'assembled' } }"
grep -qE '^JAVA_VERSION="(1[7-9]|2[0-2])' "$java/release" && expected=stock || expected=assembled
verify "if Gradle's site answers, the stock wrapper downloads, except for a JDK newer than Gradle supports" \
    'start 0 stock stock -q hello' 'prints "$expected"'
verify "the next start uses the same installation" 'start 0 stock stock -q hello' is_silent 'prints "$expected"'

# jdk NAME VERSION: a JDK that calls itself VERSION.
jdk() {
    mkdir -p "$temp/$1"
    ln -s "$java/bin" "$java/lib" "$java/conf" "$temp/$1"
    echo "JAVA_VERSION=\"$2\"" > "$temp/$1/release"
}
jdk old 11.0.1
jdk new 99
jdk home/.gradle/jdks/usable 17
verify "another JDK replaces a JDK that is too old" 'JAVA_HOME="$temp/old" start 0 one home --version' \
    'says "$temp/old, which is no JDK 17 or later: using $temp/home/.gradle/jdks/usable"'
sed -i.bak 's| /usr/lib/jvm/\*.*;| ;|; s|/Library/Java/[^ ]*||' "$temp/one/gradle/from-maven/select.sh"
verify "without another JDK, the message says how to get one" \
    'JAVA_HOME="$temp/none" start 1 one lonely --version' 'says "This build needs a JDK, version 17 or later"'
verify "a JDK newer than all tested ones is used with a warning" \
    'JAVA_HOME="$temp/new" start 0 one home --version' 'says "JDK 99 is newer than those"'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
