package dev.oneengine.testing;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The platform's file system. A test can make each call fail. A JVM uses it as its default file system if the system property
 * {@code java.nio.file.spi.DefaultFileSystemProvider} names this class. Thread-safe.
 */
public final class FaultyFiles extends FileSystemProvider {
    private static final ThreadLocal<@Nullable Calls> CALLS = new ThreadLocal<>();

    private static final Set<FaultyChannel> OPEN = ConcurrentHashMap.newKeySet();

    private static final Set<Path> DIRECTORIES = ConcurrentHashMap.newKeySet();

    private final FileSystemProvider real;
    private final FileSystem files;

    /** The observer of a thread's calls. */
    @FunctionalInterface
    public interface Calls {
        /** Runs before each call, except a call that closes: there it runs afterwards. */
        void call(String name) throws IOException;
    }

    /** Called by the JVM. */
    public FaultyFiles(FileSystemProvider real) {
        this.real = real;
        this.files = new Files(real.getFileSystem(URI.create("file:///")));
    }

    /** Observes the calls of this thread from now on. */
    public static void observe(Calls calls) {
        if (!(FileSystems.getDefault().provider() instanceof FaultyFiles)) {
            throw new IllegalStateException("Start this JVM with -Djava.nio.file.spi.DefaultFileSystemProvider="
                    + FaultyFiles.class.getName() + ", as build.gradle does");
        }
        CALLS.set(calls);
    }

    /** Ends {@link #observe}. */
    public static void ignore() {
        CALLS.remove();
    }

    /** The files that observed threads opened but did not close, and the directories that they created but did not delete. */
    public static List<Path> left() {
        return Stream.concat(
                        OPEN.stream().map(FaultyChannel::path),
                        DIRECTORIES.stream()
                                .filter(directory -> directory.toFile().exists()))
                .toList();
    }

    static void call(String name) throws IOException {
        Calls calls = CALLS.get();
        if (calls != null) {
            calls.call(name);
        }
    }

    static void closed(FaultyChannel channel) throws IOException {
        OPEN.remove(channel);
        call("close");
    }

    /**
     * The platform creates some paths with {@link File#toPath}. Such paths belong to this file system already, and are
     * not wrapped twice.
     */
    private Path wrap(Path path) {
        return (Path) Proxy.newProxyInstance(
                FaultyFiles.class.getClassLoader(), new Class<?>[] {Path.class}, new FaultyPath(unwrap(path)));
    }

    private static Path unwrap(Path path) {
        return Proxy.isProxyClass(path.getClass()) && Proxy.getInvocationHandler(path) instanceof FaultyPath faulty
                ? faulty.real
                : path;
    }

    /** A path whose file system is this one. */
    private final class FaultyPath implements InvocationHandler {
        private final Path real;

        FaultyPath(Path real) {
            this.real = real;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
            Object[] unwrapped = args == null
                    ? new Object[0]
                    : Stream.of(args)
                            .map(arg -> arg instanceof Path path ? unwrap(path) : arg)
                            .toArray();
            if (method.getName().equals("toRealPath")) {
                call("toRealPath");
            }
            try {
                return switch (method.getName()) {
                    case "getFileSystem" -> files;
                    case "toFile" -> new File(real.toString());
                    case "iterator" -> wrapped(real).iterator();
                    default -> {
                        Object result = method.invoke(real, unwrapped);
                        yield result instanceof Path path ? wrap(path) : result;
                    }
                };
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    private List<Path> wrapped(Iterable<Path> paths) {
        return StreamSupport.stream(paths.spliterator(), false).map(this::wrap).toList();
    }

    /** The file system that paths belong to. */
    private final class Files extends FileSystem {
        private final FileSystem real;

        Files(FileSystem real) {
            this.real = real;
        }

        @Override
        public FileSystemProvider provider() {
            return FaultyFiles.this;
        }

        @Override
        public void close() throws IOException {
            real.close();
        }

        @Override
        public boolean isOpen() {
            return real.isOpen();
        }

        @Override
        public boolean isReadOnly() {
            return real.isReadOnly();
        }

        @Override
        public String getSeparator() {
            return real.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return wrapped(real.getRootDirectories());
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return real.getFileStores();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return real.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return wrap(real.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String syntaxAndPattern) {
            PathMatcher matcher = real.getPathMatcher(syntaxAndPattern);
            return path -> matcher.matches(unwrap(path));
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            return real.getUserPrincipalLookupService();
        }

        @Override
        public WatchService newWatchService() throws IOException {
            return real.newWatchService();
        }
    }

    @Override
    public String getScheme() {
        return real.getScheme();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
        return real.newFileSystem(uri, env);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return files;
    }

    @Override
    public Path getPath(URI uri) {
        return wrap(real.getPath(uri));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        call("open");
        FaultyChannel channel = new FaultyChannel(path, real.newFileChannel(unwrap(path), options, attributes));
        if (CALLS.get() != null) {
            OPEN.add(channel);
        }
        return channel;
    }

    @Override
    public AsynchronousFileChannel newAsynchronousFileChannel(
            Path path, Set<? extends OpenOption> options, ExecutorService executor, FileAttribute<?>... attributes)
            throws IOException {
        return real.newAsynchronousFileChannel(unwrap(path), options, executor, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        call("newDirectoryStream");
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = real.newDirectoryStream(unwrap(directory), entry -> true)) {
            for (Path entry : wrapped(stream)) {
                if (filter.accept(entry)) {
                    entries.add(entry);
                }
            }
        }
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return entries.iterator();
            }

            @Override
            public void close() throws IOException {
                call("close");
            }
        };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        call("createDirectory");
        real.createDirectory(unwrap(directory), attributes);
        if (CALLS.get() != null) {
            DIRECTORIES.add(directory);
        }
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        call("createSymbolicLink");
        real.createSymbolicLink(unwrap(link), unwrap(target), attributes);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        call("createLink");
        real.createLink(unwrap(link), unwrap(existing));
    }

    @Override
    public void delete(Path path) throws IOException {
        call("delete");
        real.delete(unwrap(path));
    }

    @Override
    public boolean deleteIfExists(Path path) throws IOException {
        call("deleteIfExists");
        return real.deleteIfExists(unwrap(path));
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        call("readSymbolicLink");
        return wrap(real.readSymbolicLink(unwrap(link)));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        call("copy");
        real.copy(unwrap(source), unwrap(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        call("move");
        real.move(unwrap(source), unwrap(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        call("isSameFile");
        return real.isSameFile(unwrap(path), unwrap(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        call("isHidden");
        return real.isHidden(unwrap(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        call("getFileStore");
        return real.getFileStore(unwrap(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        call("checkAccess");
        real.checkAccess(unwrap(path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return real.getFileAttributeView(unwrap(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        call("readAttributes");
        return real.readAttributes(unwrap(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        call("readAttributes");
        return real.readAttributes(unwrap(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        call("setAttribute");
        real.setAttribute(unwrap(path), attribute, value, options);
    }
}
