# shellcheck shell=sh disable=SC2034,SC2154
#
# Part of gradlew, which reads this file just before it starts Java. README.md beside it says why and how.
# In:  APP_HOME, JAVACMD and the arguments.
# Out: JAVACMD, CLASSPATH and MAIN, the class or source file to start.
#
# In the usual case it starts no process but readlink, and that only without a JAVA_HOME.

# Sets version to the major version of the JDK in a directory, from the JDK's own description; empty without a compiler.
jdk_version () {
    version=
    if [ -x "$1/bin/javac" ] && [ -f "$1/release" ] ; then
        while IFS='=' read -r key value || [ -n "$key" ] ; do
            [ "$key" = JAVA_VERSION ] && version=${value#\"}
        done < "$1/release"
        version=${version#1.}
        version=${version%%[!0-9]*}
    fi
}

# Gradle 8.8 itself runs on JDKs up to 22; this project needs 17.
fits () {
    [ "${version:-0}" -ge 17 ] && [ "$version" -le 22 ]
}

# The same from the JDK itself, for a java command that is a script or a stub with no description beside it.
ask_java () {
    settings=$( "$JAVACMD" -XshowSettings:properties -version 2>&1 | tr -d '\r' )
    jdk=$( printf '%s\n' "$settings" | sed -n 's/^ *java\.home = //p' )
    version=
    if [ -x "$jdk/bin/javac" ] ; then
        version=$( printf '%s\n' "$settings" | sed -n 's/^ *java\.specification\.version = //p' )
        version=${version#1.}
    fi
}

# Whoever chose a JDK for the daemon has a reason for the one that the client runs on.
daemon_has_jdk () {
    case " $*" in
        *" -Dorg.gradle.java.home="*) return 0 ;;
    esac
    grep -qs '^[[:space:]]*org\.gradle\.java\.home' "$gradle_home/gradle.properties" "$APP_HOME/gradle.properties"
}

use_other_jdk () {
    found="${jdk:-$JAVACMD} is ${version:-no JDK}"
    for wanted in 21 17 22 20 19 18 ; do
        for jdk in "$gradle_home"/jdks/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.asdf/installs/java/* \
                "$HOME"/.local/share/mise/installs/java/* "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
                /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
                /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/lib/jvm/* /opt/java/* /opt/jdk* ; do
            jdk_version "$jdk"
            if [ "$version" = "$wanted" ] ; then
                warn "gradlew: $found, but Gradle 8.8 needs a JDK 17 to 22: using $jdk"
                JAVA_HOME=$jdk
                export JAVA_HOME
                JAVACMD=$jdk/bin/java
                return
            fi
        done
    done
    warn "gradlew: $found, but Gradle 8.8 needs a JDK 17 to 22: set JAVA_HOME to the directory of one"
    exit 1
}

# The Gradle user home, as Gradle finds it.
gradle_home=${GRADLE_USER_HOME:-$HOME/.gradle}
previous=
for arg do
    case $arg in
        -Dgradle.user.home=* | --gradle-user-home=*) gradle_home=${arg#*=} ;;
    esac
    case $previous in
        -g | --gradle-user-home) gradle_home=$arg ;;
    esac
    previous=$arg
done

if [ -n "$JAVA_HOME" ] ; then
    jdk=$JAVA_HOME
else
    jdk=$( readlink -f "$( command -v java )" 2>/dev/null )
    jdk=${jdk%/bin/java*}
fi
jdk_version "$jdk"
[ -f "$jdk/release" ] || ask_java
fits || daemon_has_jdk "$@" || use_other_jdk

# Where the wrapper keeps the distribution of gradle-wrapper.properties: the directory is the MD5 of its URL in base 36.
# Another URL makes the start slower, for then the program below finds out.
distribution=$gradle_home/wrapper/dists/gradle-8.8-bin/dl7vupf4psengwqhwktix4v1/gradle-8.8-bin.zip.ok
read -r revision < "$APP_HOME/gradle/from-maven/revision"
launcher=$gradle_home/from-maven/$revision/lib/gradle-launcher-8.8.jar

if [ -f "$distribution" ] ; then
    MAIN=org.gradle.wrapper.GradleWrapperMain
elif [ -f "$launcher" ] && [ -f "${launcher%/*}/gradle-api-8.8.jar" ] ; then
    CLASSPATH=$launcher
    MAIN=org.gradle.launcher.GradleMain
else
    # Neither is there: this program chooses, gets what is missing and starts Gradle.
    MAIN=$APP_HOME/gradle/from-maven/GradleFromMaven.java
    [ -t 2 ] && DEFAULT_JVM_OPTS="$DEFAULT_JVM_OPTS -Dgradle.from-maven.terminal=true"
fi
