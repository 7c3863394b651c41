@rem Part of gradlew.bat, which calls this file just before it starts Java: select.sh for Windows. See README.md beside it.
@rem In:  APP_HOME, JAVA_EXE.
@rem Out: CLASSPATH and MAIN, the class or source file to start. Fails under a JDK that Gradle 8.8 does not run on.

set GRADLE_HOME_DIR=%GRADLE_USER_HOME%
if not defined GRADLE_HOME_DIR set GRADLE_HOME_DIR=%USERPROFILE%\.gradle

@rem The version from the JDK's own description, or else from the JDK itself.
set JDK_VERSION=
set JDK_RELEASE=%JAVA_HOME%\release
if not defined JAVA_HOME for %%i in (java.exe) do set JDK_RELEASE=%%~dp$PATH:i..\release
if exist "%JDK_RELEASE%" for /f "usebackq tokens=1,2 delims==" %%i in ("%JDK_RELEASE%") do if "%%i"=="JAVA_VERSION" set JDK_VERSION=%%~j
if not defined JDK_VERSION for /f "tokens=2,3" %%i in ('""%JAVA_EXE%" -version 2>&1"') do if "%%i"=="version" set JDK_VERSION=%%~j
for /f "delims=.-+" %%i in ("%JDK_VERSION%") do set JDK_VERSION=%%i
if not defined JDK_VERSION goto choose
if %JDK_VERSION% geq 17 if %JDK_VERSION% leq 22 goto choose

@rem Whoever chose a JDK for the daemon has a reason for the one that the client runs on.
if exist "%GRADLE_HOME_DIR%\gradle.properties" for /f "usebackq delims==: " %%i in ("%GRADLE_HOME_DIR%\gradle.properties") do if "%%i"=="org.gradle.java.home" goto choose
if exist "%APP_HOME%\gradle.properties" for /f "usebackq delims==: " %%i in ("%APP_HOME%\gradle.properties") do if "%%i"=="org.gradle.java.home" goto choose
echo gradlew: this is JDK %JDK_VERSION%, but Gradle 8.8 needs a JDK 17 to 22: set JAVA_HOME to the directory of one 1>&2
exit /b 1

:choose
set DISTRIBUTION=%GRADLE_HOME_DIR%\wrapper\dists\gradle-8.8-bin\dl7vupf4psengwqhwktix4v1\gradle-8.8-bin.zip.ok
set /p REVISION=<"%APP_HOME%\gradle\from-maven\revision"
set LAUNCHER=%GRADLE_HOME_DIR%\from-maven\%REVISION%\lib\gradle-launcher-8.8.jar

set MAIN=org.gradle.wrapper.GradleWrapperMain
if exist "%DISTRIBUTION%" exit /b 0

set MAIN=%APP_HOME%\gradle\from-maven\GradleFromMaven.java
if not exist "%LAUNCHER%" exit /b 0

set CLASSPATH=%LAUNCHER%
set MAIN=org.gradle.launcher.GradleMain
exit /b 0
