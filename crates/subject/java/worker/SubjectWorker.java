import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilePermission;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.Permission;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.PropertyPermission;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs one Java program on many cases: {@code java -cp WORKER SubjectWorker CLASSES MAIN}.
 *
 * <p>The harness starts this class and talks to it over standard input and output ({@code subject::wire} defines the frames). Each run
 * has classes, a thread and streams of its own. A security manager sees what else a run changes: that is restored, or makes the program
 * unfit for this engine. What the security manager cannot see is what an ordinary process does, too: nothing of it outlives the classes.
 */
@SuppressWarnings({"removal", "deprecation"})
public final class SubjectWorker {
    private static final String VERSION = "5";
    private static final String OTHER_VERSION = "the program's version of the worker protocol is ";
    private static final String UNFIT = "the program cannot run in this engine: ";
    private static final List<String> MEMORY_MESSAGES = List.of("memory allocation of", "std::bad_alloc", "MemoryError",
            "OutOfMemoryError", "Cannot allocate memory");

    // The ends of runs, and how much an answer contains, as on the wire.
    private static final int EXIT = 0;
    private static final int MEMORY = 3;
    private static final int OUTPUT_LIMIT = 4;
    private static final int VERDICTS = 0;
    private static final int OUTCOMES = 2;
    private static final int BY_OUTPUT = 0;
    private static final int BY_MESSAGE = 7;

    /** The frame below those of a program, with those of its call, which are visible without memory; and a line that counts it. */
    private static final Pattern OWN_FRAMES = Pattern.compile(
            "(?m)(?:^\\t+at java\\.base/java\\.lang\\.invoke\\..*\\R)*^\\t+at SubjectWorker\\$Run\\.run.*\\R|^(\\t+)\\.\\.\\. (\\d+) more\\R");

    private static final Path FOLDER = Path.of("").toAbsolutePath();
    private static final Charset CHARSET = charset();
    private static final int BUFFER = Runtime.version().feature() < 21 ? 128 : 8192; // as that of `System.out`

    private static Hello hello;
    private static Map<String, byte[]> classes;
    private static Path home;
    private static String main;
    private static Run current;

    private SubjectWorker() {}

    public static void main(String[] args) throws Exception {
        String version = System.getenv("SUBJECT_WORKER");
        if (!VERSION.equals(version)) {
            System.err.println(OTHER_VERSION + VERSION + ", not " + version);
            System.exit(1);
        }
        home = Path.of(args[0]).toAbsolutePath();
        main = args[1];
        classes = classes();
        DataInputStream requests = new DataInputStream(new BufferedInputStream(System.in));
        OutputStream answers = new FileOutputStream(FileDescriptor.out);
        byte[] first = frame(requests);
        if (first == null) return;
        hello = new Hello(new Reader(first));
        State.remember();
        System.setSecurityManager(new Guard());
        for (byte[] frame = frame(requests); frame != null; frame = frame(requests)) {
            answers.write(answer(new Reader(frame)));
        }
        Runtime.getRuntime().halt(0);
    }

    /** Whether the mutant with this id is selected. Notes that the run has reached it. */
    static boolean isOn(String id) {
        Integer index = hello.indices.get(id);
        if (index == null) return false;
        current.reached.set(index);
        return index == current.mutant;
    }

    /** Ends the worker, because it cannot run the program. */
    private static void unfit(String reason) {
        current = null;
        byte[] message = (UNFIT + reason + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            new FileOutputStream(FileDescriptor.err).write(message);
        } catch (IOException harnessHasEnded) {
            // Nobody waits for the message.
        }
        Runtime.getRuntime().halt(3);
    }

    private static Charset charset() {
        String name = System.getProperty("stdout.encoding", System.getProperty("sun.stdout.encoding"));
        return name == null ? Charset.defaultCharset() : Charset.forName(name);
    }

    /** The program's classes by their names. */
    private static Map<String, byte[]> classes() throws IOException {
        Map<String, byte[]> found = new HashMap<>();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = home.relativize(file).toString().replace('/', '.');
                if (!name.endsWith(".class")) continue;
                if (name.endsWith(".Bug.class")) unfit("its class Bug is in a package");
                found.put(name.substring(0, name.length() - ".class".length()), Files.readAllBytes(file));
            }
        }
        return found;
    }

    private static byte[] frame(DataInputStream requests) throws IOException {
        int first = requests.read();
        if (first < 0) return null;
        int size = first | requests.readUnsignedByte() << 8 | requests.readUnsignedByte() << 16 | requests.readUnsignedByte() << 24;
        byte[] bytes = new byte[size];
        requests.readFully(bytes);
        return bytes;
    }

    /** The row of the matrix for a request. */
    private static byte[] answer(Reader request) throws Exception {
        Case given = new Case(request);
        BitSet mutants = request.set();
        int detail = request.bytes.get();
        Outcome reference = run(given, -1);
        BitSet reached = (BitSet) current.reached.clone();
        Writer differing = new Writer();
        int count = 0;
        if (reference.kind == EXIT && (reference.status == 0 || hello.runsRefused)) {
            mutants.and(reached);
            for (int mutant = mutants.nextSetBit(0); mutant >= 0; mutant = mutants.nextSetBit(mutant + 1)) {
                Outcome outcome = run(given, mutant);
                int how = reference.difference(outcome);
                if (how < 0) continue;
                count++;
                differing.number(mutant).octet(how).number(detail == OUTCOMES ? 1 : 0);
                if (detail == OUTCOMES) differing.outcome(outcome, true);
            }
        }
        // Such a program prints numbers of objects, for example, or an error has left a class of the library broken.
        if (count > 0 && !reference.isSame(run(given, -1))) unfit("it does something else each time");
        Writer answer = new Writer().outcome(reference, detail != VERDICTS);
        answer.big(0).big(reference.written()).set(reached).number(count).bytes.writeBytes(differing.bytes.toByteArray());
        return answer.set(new BitSet()).set(new BitSet()).frame();
    }

    /** Runs the program with one mutant selected, or with -1, none. */
    private static Outcome run(Case given, int mutant) throws Exception {
        State.enter(given);
        Run run = new Run(given, mutant);
        System.setIn(new BufferedInputStream(new ByteArrayInputStream(given.input)));
        System.setOut(run.out.stream());
        System.setErr(run.err.stream());
        current = run;
        run.start();
        run.join();
        run.isOver = true;
        return run.outcome(State.leave(given));
    }

    /** One run of the program: a thread with the name and the place of the first one of a process. */
    private static final class Run extends Thread {
        final int mutant;
        final BitSet reached = new BitSet();
        final Output out = new Output(this);
        final Output err = new Output(this);
        private final String[] args;
        /** How the run ended, as soon as that is certain. What the program does then, such as to run `finally`, no process does. */
        private int kind = -1;
        private int status;
        boolean hasChangedProperties;
        boolean hasWritten;
        volatile boolean isOver;

        Run(Case given, int mutant) {
            super("main");
            this.mutant = mutant;
            args = given.args.clone();
            setContextClassLoader(new Loader());
        }

        @Override
        public void run() {
            try {
                entry().invokeExact(args);
                end(EXIT, 0);
            } catch (Throwable thrown) {
                if (kind < 0) fail(thrown);
            }
        }

        /** The program's method `main`, which is called without visible frames between. */
        private MethodHandle entry() throws ReflectiveOperationException {
            Method entry = Class.forName(main, false, getContextClassLoader()).getMethod("main", String[].class);
            entry.setAccessible(true);
            return MethodHandles.lookup().unreflect(entry);
        }

        private void fail(Throwable thrown) {
            try {
                getUncaughtExceptionHandler().uncaughtException(this, thrown);
            } catch (Throwable ignored) {
                // So does the virtual machine.
            }
            end(EXIT, 1);
        }

        boolean hasEnded() {
            return kind >= 0;
        }

        void end(int kind, int status) {
            if (this.kind < 0) {
                this.kind = kind;
                this.status = status;
            }
        }

        Outcome outcome(Map<String, byte[]> files) {
            byte[] stderr = withoutOwnFrames(err.bytes());
            String said = new String(stderr, StandardCharsets.ISO_8859_1);
            boolean isMemory = kind == EXIT && status != 0 && MEMORY_MESSAGES.stream().anyMatch(said::contains);
            return new Outcome(isMemory ? MEMORY : kind, status, withoutOwnFrames(out.bytes()), stderr, files);
        }

        private static byte[] withoutOwnFrames(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            if (!text.contains("\tat SubjectWorker$Run.")) return bytes;
            String clean = OWN_FRAMES.matcher(text).replaceAll(match -> {
                if (match.group(2) == null) return "";
                int more = Integer.parseInt(match.group(2)) - 1;
                return more > 0 ? match.group(1) + "... " + more + " more\n" : "";
            });
            return clean.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /** Ends the run of a program. */
    private static final class End extends ThreadDeath {
        private static final long serialVersionUID = 1;
    }

    /** A stream in memory, which ends the run that writes too much. */
    private static final class Output extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Run run;

        Output(Run run) {
            this.run = run;
        }

        PrintStream stream() {
            return new PrintStream(new BufferedOutputStream(this, BUFFER), true, CHARSET);
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] data, int from, int size) {
            if (run.isOver) return;
            if (!run.hasEnded() && size > hello.output - bytes.size()) run.end(OUTPUT_LIMIT, 0);
            if (run.hasEnded()) throw new End();
            bytes.write(data, from, size);
        }
    }

    /** The classes of a run. */
    private static final class Loader extends ClassLoader {
        Loader() {
            super(getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolves) throws ClassNotFoundException {
            if (name.equals("Bug")) return Bug.class;
            byte[] bytes = classes.get(name);
            if (bytes == null) return super.loadClass(name, resolves);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known != null ? known : defineClass(name, bytes, 0, bytes.length);
            }
        }

        @Override
        protected URL findResource(String name) {
            File file = home.resolve(name).toFile();
            try {
                return file.exists() ? file.toURI().toURL() : null;
            } catch (MalformedURLException impossible) {
                return null;
            }
        }
    }

    /** What a program can change in the virtual machine or in its folder, and what it was. */
    private static final class State {
        private static final Properties PROPERTIES = new Properties();
        private static Locale locale;
        private static Locale display;
        private static Locale format;
        private static TimeZone zone;

        static void remember() {
            PROPERTIES.putAll(System.getProperties());
            locale = Locale.getDefault();
            display = Locale.getDefault(Locale.Category.DISPLAY);
            format = Locale.getDefault(Locale.Category.FORMAT);
            zone = TimeZone.getDefault();
        }

        static void enter(Case given) throws IOException {
            if (!given.isAscii() && !"UTF-8".equals(System.getProperty("sun.jnu.encoding"))) {
                unfit("its arguments or files have names that it reads differently");
            }
            for (Map.Entry<String, byte[]> file : given.files.entrySet()) {
                Files.write(FOLDER.resolve(file.getKey()), file.getValue());
            }
        }

        /** Restores what the run has changed, and gives the files that it wrote. */
        static Map<String, byte[]> leave(Case given) throws IOException {
            Thread.setDefaultUncaughtExceptionHandler(null);
            if (current.hasChangedProperties) {
                Properties properties = new Properties();
                properties.putAll(PROPERTIES);
                System.setProperties(properties);
                Locale.setDefault(locale);
                Locale.setDefault(Locale.Category.DISPLAY, display);
                Locale.setDefault(Locale.Category.FORMAT, format);
                TimeZone.setDefault(zone);
            }
            Map<String, byte[]> written = new TreeMap<>();
            if (!current.hasWritten && given.files.isEmpty()) return written;
            try (Stream<Path> entries = Files.list(FOLDER)) {
                for (Path entry : (Iterable<Path>) entries::iterator) {
                    String name = entry.getFileName().toString();
                    if (!Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) unfit("it makes more than files");
                    byte[] data = Files.readAllBytes(entry);
                    // As in a process, the files of a case without files say nothing.
                    if (!given.files.isEmpty() && !Arrays.equals(data, given.files.get(name))) written.put(name, data);
                    Files.delete(entry);
                }
            }
            return written;
        }
    }

    /** Sees what a program does beside computing. */
    private static final class Guard extends SecurityManager {
        /** What changes nothing that outlives a run. */
        private static final Set<String> HARMLESS = Set.of("accessDeclaredMembers", "accessSystemModules", "charsetProvider",
                "createClassLoader", "enableContextClassLoaderOverride", "getClassLoader", "getProtectionDomain", "getStackTrace",
                "getStackWalkerWithClassReference", "localeServiceProvider", "modifyThread", "reflectionFactoryAccess",
                "setContextClassLoader", "setDefaultUncaughtExceptionHandler", "setIO", "suppressAccessChecks");
        /** Where Java itself, the program and the worker have their classes, and where random numbers come from. */
        private static final List<Path> READABLE = List.of(FOLDER, home, Path.of(System.getProperty("java.home")),
                Path.of(System.getProperty("java.class.path")), Path.of("/dev/random"), Path.of("/dev/urandom"));

        /** The run whose thread this is. Null for the worker itself. */
        private static Run run() {
            Run run = current;
            if (run == null || Thread.currentThread() != run || run.isOver) return null;
            if (run.hasEnded()) throw new End();
            return run;
        }

        @Override
        public void checkPermission(Permission permission) {
            Run run = run();
            if (run == null) return;
            String name = permission.getName();
            if (permission instanceof PropertyPermission) {
                run.hasChangedProperties |= permission.getActions().contains("write");
            } else if (permission instanceof FilePermission) {
                checkRead(name);
            } else if (!HARMLESS.contains(name) && !name.startsWith("accessClassInPackage.")
                    && !(name.startsWith("getenv.") && !name.equals("getenv.*") && !name.startsWith("getenv.SUBJECT_"))) {
                unfit("it needs the permission " + name);
            }
        }

        @Override
        public void checkPermission(Permission permission, Object context) {
            checkPermission(permission);
        }

        @Override
        public void checkExit(int status) {
            Run run = run();
            if (run == null) return;
            run.end(EXIT, status & 0xff);
            throw new End();
        }

        @Override
        public void checkAccess(ThreadGroup group) {
            if (run() != null) unfit("it starts threads");
        }

        @Override
        public void checkAccess(Thread thread) {
            if (run() != null && thread != current) unfit("it changes threads");
        }

        @Override
        public void checkPackageAccess(String name) {}

        @Override
        public void checkPropertyAccess(String name) {}

        @Override
        public void checkExec(String command) {
            if (run() != null) unfit("it starts processes");
        }

        @Override
        public void checkRead(FileDescriptor descriptor) {
            if (run() != null) unfit("it reads a descriptor");
        }

        @Override
        public void checkWrite(FileDescriptor descriptor) {
            if (run() != null) unfit("it writes to a descriptor");
        }

        @Override
        public void checkRead(String file) {
            if (run() == null) return;
            Path path = FOLDER.resolve(file).normalize();
            if (READABLE.stream().noneMatch(path::startsWith)) unfit("it reads " + file);
        }

        @Override
        public void checkWrite(String file) {
            Run run = run();
            if (run == null) return;
            if (!FOLDER.resolve(file).normalize().startsWith(FOLDER)) unfit("it writes " + file);
            run.hasWritten = true;
        }

        @Override
        public void checkDelete(String file) {
            checkWrite(file);
        }
    }

    /** The first frame: the mutants and the limits. */
    private static final class Hello {
        final Map<String, Integer> indices = new HashMap<>();
        final long output;
        final boolean runsRefused;

        Hello(Reader frame) {
            String[] ids = frame.texts();
            for (int at = 0; at < ids.length; at++) indices.put(ids[at], at);
            frame.bytes.position(frame.bytes.position() + 3 * Long.BYTES); // steps, which nobody counts
            output = frame.bytes.getLong();
            frame.bytes.position(frame.bytes.position() + 3 * Long.BYTES); // what the harness limits
            runsRefused = frame.bytes.get() != 0;
        }
    }

    private static final class Case {
        final String[] args;
        final byte[] input;
        final Map<String, byte[]> files = new TreeMap<>();

        Case(Reader frame) {
            args = frame.texts();
            input = frame.octets();
            for (int left = frame.bytes.getInt(); left > 0; left--) files.put(frame.text(), frame.octets());
        }

        boolean isAscii() {
            return Stream.concat(Stream.of(args), files.keySet().stream()).allMatch(it -> it.chars().allMatch(c -> c < 128));
        }
    }

    /** What a run did. */
    private static final class Outcome {
        final int kind;
        final int status;
        final byte[] stdout;
        final byte[] stderr;
        final Map<String, byte[]> files;

        Outcome(int kind, int status, byte[] stdout, byte[] stderr, Map<String, byte[]> files) {
            this.kind = kind;
            this.status = status;
            this.stdout = stdout;
            this.stderr = stderr;
            this.files = files;
        }

        long written() {
            return stdout.length + files.values().stream().mapToLong(data -> data.length).sum();
        }

        /** How the outcome of a mutant differs, or -1. `Hello::difference` has the same rule. */
        int difference(Outcome mutant) {
            if (mutant.kind != EXIT || mutant.kind != kind || mutant.status != status) return mutant.kind + 1;
            if (!isSame(mutant)) return BY_OUTPUT;
            boolean saysOther = hello.runsRefused && status != 0 && !Arrays.equals(stderr, mutant.stderr);
            return saysOther ? BY_MESSAGE : -1;
        }

        boolean isSame(Outcome other) {
            return kind == other.kind && status == other.status && Arrays.equals(stdout, other.stdout)
                    && files.keySet().equals(other.files.keySet())
                    && files.entrySet().stream().allMatch(file -> Arrays.equals(file.getValue(), other.files.get(file.getKey())));
        }
    }

    /** Decodes a frame. */
    private static final class Reader {
        final ByteBuffer bytes;

        Reader(byte[] frame) {
            bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        }

        byte[] octets() {
            byte[] octets = new byte[bytes.getInt()];
            bytes.get(octets);
            return octets;
        }

        String text() {
            return new String(octets(), StandardCharsets.UTF_8);
        }

        String[] texts() {
            String[] texts = new String[bytes.getInt()];
            for (int at = 0; at < texts.length; at++) texts[at] = text();
            return texts;
        }

        BitSet set() {
            long[] words = new long[bytes.getInt()];
            for (int at = 0; at < words.length; at++) words[at] = bytes.getLong();
            return BitSet.valueOf(words);
        }
    }

    /** Encodes a frame. */
    private static final class Writer {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Writer octet(int octet) {
            bytes.write(octet);
            return this;
        }

        Writer number(int number) {
            return octet(number).octet(number >> 8).octet(number >> 16).octet(number >> 24);
        }

        Writer big(long number) {
            return number((int) number).number((int) (number >> 32));
        }

        Writer octets(byte[] octets) {
            number(octets.length).bytes.writeBytes(octets);
            return this;
        }

        Writer set(BitSet set) {
            long[] words = set.toLongArray();
            number(words.length);
            for (long word : words) big(word);
            return this;
        }

        /** An outcome, without its output and files unless it `isWhole`. */
        Writer outcome(Outcome outcome, boolean isWhole) {
            octet(outcome.kind);
            if (outcome.kind == EXIT) octet(outcome.status);
            octets(isWhole ? outcome.stdout : new byte[0]).octets(outcome.stderr);
            number(isWhole ? outcome.files.size() : 0);
            if (isWhole) outcome.files.forEach((name, data) -> octets(name.getBytes(StandardCharsets.UTF_8)).octets(data));
            return this;
        }

        byte[] frame() {
            return new Writer().octets(bytes.toByteArray()).bytes.toByteArray();
        }
    }
}
