@rem Part of gradlew.bat, which calls this file just before it starts Java: select.sh for Windows. See README.md beside it.
@rem In:  APP_HOME, JAVA_EXE.
@rem Out: CLASSPATH, MAIN, the class or source file to start, and DEFAULT_JVM_OPTS. Fails without a JDK of version 17 or later.

set JDK_VERSION=
for /f "tokens=2,3" %%i in ('""%JAVA_EXE%" -version 2>&1"') do if "%%i"=="version" set JDK_VERSION=%%~j
for /f "delims=.-+" %%i in ("%JDK_VERSION%") do set JDK_VERSION=%%i
if not defined JDK_VERSION set JDK_VERSION=0
if %JDK_VERSION% geq 17 goto choose
echo This build needs a JDK, version 17 or later. JAVA_HOME or the PATH leads to none, but to "%JAVA_EXE%". Install one, for example with 1>&2
echo   winget install EclipseAdoptium.Temurin.21.JDK 1>&2
echo or from https://adoptium.net, and set JAVA_HOME to its directory. 1>&2
exit /b 1

:choose
if %JDK_VERSION% gtr 25 echo gradlew: JDK %JDK_VERSION% is newer than those this build was tried with, 17 to 25 1>&2
if not defined GRADLE_USER_HOME set GRADLE_USER_HOME=%USERPROFILE%\.gradle
set DEFAULT_JVM_OPTS=%DEFAULT_JVM_OPTS% --enable-native-access=ALL-UNNAMED
set /p REVISION=<"%APP_HOME%\gradle\from-maven\revision"
set GRADLE_FROM_MAVEN=%GRADLE_USER_HOME%\from-maven\%REVISION%

set MAIN=org.gradle.wrapper.GradleWrapperMain
if %JDK_VERSION% leq 22 for /d %%i in ("%GRADLE_USER_HOME%\wrapper\dists\gradle-8.8-bin\*") do if exist "%%i\gradle-8.8-bin.zip.ok" exit /b 0
set MAIN=%APP_HOME%\gradle\from-maven\GradleFromMaven.java
if not exist "%GRADLE_FROM_MAVEN%\lib\gradle-api-8.8.jar" exit /b 0
set CLASSPATH=%GRADLE_FROM_MAVEN%\lib\from-maven
set MAIN=AssembledGradle
exit /b 0
