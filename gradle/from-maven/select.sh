# shellcheck shell=sh disable=SC2034,SC2154
#
# Part of gradlew, which reads this file just before it starts Java. README.md beside it says why and how.
# In:  APP_HOME, JAVACMD and the arguments.
# Out: JAVACMD, CLASSPATH and MAIN, the class or source file to start.

# Sets version to the major version of the JDK in a directory, from its release file; 0 without a compiler.
jdk_version () {
    version=$( [ -x "$1/bin/javac" ] && sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null )
    version=${version:-0}
}

jdk=$JAVA_HOME
if [ -z "$jdk" ] ; then
    jdk=$( readlink -f "$( command -v java )" 2>/dev/null )
    jdk=${jdk%/bin/java*}
    # If the java command is a script or a stub, ask it for the directory of its JDK.
    [ -f "$jdk/release" ] || jdk=$( java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p' | tr -d '\r' )
fi
jdk_version "$jdk"
if [ "$version" -lt 17 ] ; then
    unfit=${jdk:-nothing}
    for jdk in "$HOME"/.gradle/jdks/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.asdf/installs/java/* \
            "$HOME"/.local/share/mise/installs/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
            /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/lib/jvm/* /opt/java/* /opt/jdk* ; do
        jdk_version "$jdk"
        [ "$version" -lt 17 ] || break
    done
    [ "$version" -ge 17 ] || die "This build needs a JDK, version 17 or later. JAVA_HOME or the PATH leads to $unfit. Install one, for example with
  apt install openjdk-17-jdk-headless | dnf install java-21-openjdk-devel | brew install openjdk | winget install EclipseAdoptium.Temurin.21.JDK
or from https://adoptium.net, and set JAVA_HOME to its directory."
    warn "gradlew: JAVA_HOME or the PATH leads to $unfit, which is no JDK 17 or later: using $jdk"
    export JAVA_HOME="$jdk"
    JAVACMD=$jdk/bin/java
fi
[ "$version" -le 25 ] || warn "gradlew: JDK $version is newer than those this build was tried with, 17 to 25"

# Java's user.home may differ from HOME, so set the Gradle user home explicitly for all programs.
export GRADLE_USER_HOME="${GRADLE_USER_HOME:-$HOME/.gradle}"
gradle_home=$GRADLE_USER_HOME
previous=
for arg do
    case "$previous $arg" in
        "-g "* | "--gradle-user-home "* | *" -Dgradle.user.home="* | *" --gradle-user-home="*) gradle_home=${arg#-*=} ;;
    esac
    previous=$arg
done

read -r revision < "$APP_HOME/gradle/from-maven/revision"
export GRADLE_FROM_MAVEN="$gradle_home/from-maven/$revision"
MAIN=$APP_HOME/gradle/from-maven/GradleFromMaven.java
if [ "$version" -le 22 ] && ls "$gradle_home"/wrapper/dists/gradle-8.8-bin/*/gradle-8.8-bin.zip.ok >/dev/null 2>&1 ; then
    MAIN=org.gradle.wrapper.GradleWrapperMain
elif [ -f "$GRADLE_FROM_MAVEN/lib/gradle-api-8.8.jar" ] ; then
    CLASSPATH=$GRADLE_FROM_MAVEN/lib/from-maven
    MAIN=AssembledGradle
elif [ -t 2 ] ; then
    DEFAULT_JVM_OPTS="$DEFAULT_JVM_OPTS -Dgradle.from-maven.terminal=true"
fi

# Gradle loads native code, for which newer JDKs print a warning otherwise.
DEFAULT_JVM_OPTS="$DEFAULT_JVM_OPTS --enable-native-access=ALL-UNNAMED"

# Gradle does not tell a build whether its output is a terminal.
unset GRADLEW_TERMINAL
[ -t 1 ] && [ -z "$NO_COLOR" ] && export GRADLEW_TERMINAL=true
