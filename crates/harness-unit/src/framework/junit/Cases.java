import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test cases of a file in Java: FILE SUBJECT TESTS SECONDS [CASE ...]. SUBJECT and TESTS are files of classes. Without cases, it
 * lists them. It prints a line for each case: its name, or what came of it, as JSON.
 *
 * <p>Each line begins with the secret that it reads from standard input. Tests run in this process, and can print and end it as they like,
 * but only {@code main} knows the secret. Each case has classes of its own.
 */
public final class Cases {
    private static final String EXTENSIONS = "junit.jupiter.extensions.autodetection.enabled";

    private final String file;
    private final Map<String, byte[]> classes = new HashMap<>();
    private final List<String> tests;
    private final Launcher launcher = launcher();
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();

    private Cases(String file, String subject, String tests) throws IOException {
        this.file = file;
        this.tests = read(tests, classes);
        // They take the place of what the tests call the same.
        read(subject, classes);
    }

    public static void main(String[] args) throws Exception {
        // What else is printed there may not end with a line.
        String secret = "\n" + secret();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        Cases cases = new Cases(args[0], args[1], args[2]);
        long most = (long) (1000 * Double.parseDouble(args[3]));
        List<String> wanted = List.of(args).subList(4, args.length);
        if (wanted.size() < 2) {
            String ended = verdict(wanted.isEmpty() ? null : wanted.get(0), 0, "it ends the program, as System.exit does", 0);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                out.println(secret + ended);
                Runtime.getRuntime().halt(1);
            }));
        }
        if (wanted.isEmpty()) {
            Heard heard = cases.start(null).await(0);
            heard.listed.forEach(name -> out.println(secret + name));
            if (heard.message != null) {
                out.println(secret + verdict(null, 0, heard.message, heard.line));
            }
        }
        boolean isRight = true;
        for (String name : wanted) {
            long start = System.nanoTime();
            Heard heard = cases.start(name).await(wanted.size() > 1 ? most : 0);
            if (!heard.isWhole) {
                Runtime.getRuntime().halt(1);
            }
            isRight &= heard.message == null;
            out.println(secret + verdict(name, (System.nanoTime() - start) / 1e9, heard.message, heard.line));
            if (heard.isRunning()) {
                break;
            }
        }
        Runtime.getRuntime().halt(isRight ? 0 : 1);
    }

    /** Reads the secret, which nobody can read again. */
    private static String secret() throws IOException {
        try (FileInputStream in = new FileInputStream(FileDescriptor.in)) {
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        }
    }

    /** Reads a file of classes, and gives their names. */
    private static List<String> read(String path, Map<String, byte[]> classes) throws IOException {
        List<String> names = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new FileInputStream(path))) {
            for (int left = in.readInt(); left > 0; left--) {
                String name = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                names.add(name);
                classes.put(name, in.readNBytes(in.readInt()));
            }
        }
        return names;
    }

    private static Launcher launcher() {
        return LauncherFactory.create(LauncherConfig.builder()
            .enableTestEngineAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableLauncherDiscoveryListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .enableTestExecutionListenerAutoRegistration(false)
            .addTestEngines(new JupiterTestEngine())
            .build());
    }

    /** What came of a case, as a line of JSON. Without a message, it passed. */
    private static String verdict(String name, double seconds, String message, int line) {
        String said = String.format(Locale.ROOT, "{\"case\": %s, \"passed\": %b, \"seconds\": %.6f", quoted(name), message == null, seconds);
        String where = line > 0 ? ", \"line\": " + line : "";
        return said + where + (message == null ? "}" : ", \"message\": " + quoted(message) + "}");
    }

    private static String quoted(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.substring(0, Math.min(4000, text.length())).toCharArray()) {
            boolean isPlain = letter >= ' ' && letter != '"' && letter != '\\' && !Character.isSurrogate(letter);
            quoted.append(isPlain ? letter : String.format("\\u%04x", (int) letter));
        }
        return quoted.append('"').toString();
    }

    /** Starts a case in a thread, or without a name, the listing of all. */
    private Heard start(String name) {
        Heard heard = new Heard();
        heard.thread = new Thread(heard.group, () -> run(name, heard));
        heard.thread.setDaemon(true);
        heard.thread.start();
        return heard;
    }

    /** Runs a case, or lists all, with classes that nobody has used, in a process as it was at the start. */
    private void run(String name, Heard heard) {
        Thread.currentThread().setContextClassLoader(new Classes());
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        TimeZone.setDefault(null);
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            LauncherDiscoveryRequest all = all(name == null);
            TestPlan plan = launcher.discover(all);
            heard.names = names(plan);
            launcher.execute(name == null ? all : one(name, heard.names), heard);
            heard.isWhole = true;
        } catch (OutOfMemoryError error) {
            new PrintStream(new FileOutputStream(FileDescriptor.err), true).println("OutOfMemoryError");
        } catch (ReflectiveOperationException | LinkageError error) {
            heard.fails(error);
            heard.isWhole = true;
        }
    }

    private LauncherDiscoveryRequest all(boolean isListing) throws ReflectiveOperationException {
        List<DiscoverySelector> all = new ArrayList<>();
        for (String test : tests) {
            all.add(DiscoverySelectors.selectClass(Class.forName(test, false, Thread.currentThread().getContextClassLoader())));
        }
        return LauncherDiscoveryRequestBuilder.request().selectors(all).configurationParameter(EXTENSIONS, "" + isListing).build();
    }

    /** The case with this name. One of several with parameters ends with its number in brackets. */
    private LauncherDiscoveryRequest one(String name, Map<UniqueId, String> names) {
        int bracket = name.endsWith("]") ? name.lastIndexOf('[') : name.length();
        String method = name.substring(0, bracket);
        UniqueId id = names.keySet().stream().filter(it -> names.get(it).equals(method)).findFirst().orElseThrow();
        if (bracket < name.length()) {
            id = id.append("test-template-invocation", "#" + name.substring(bracket + 1, name.length() - 1));
        }
        return LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectUniqueId(id)).build();
    }

    /** The names of the methods that are tests. They have parameters where one without them would mean several. */
    private Map<UniqueId, String> names(TestPlan plan) {
        Map<UniqueId, String> whole = new LinkedHashMap<>();
        Map<String, Integer> count = new HashMap<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier test : plan.getDescendants(root)) {
                UniqueId id = UniqueId.parse(test.getUniqueId());
                if (!id.getLastSegment().getType().endsWith("class")) {
                    whole.put(id, name(id));
                    count.merge(plain(name(id)), 1, Integer::sum);
                }
            }
        }
        whole.replaceAll((id, name) -> count.get(plain(name)) == 1 ? plain(name) : name);
        return whole;
    }

    private static String plain(String name) {
        return name.substring(0, name.lastIndexOf('('));
    }

    /** The classes and the method in an id, without the class that the file is named after. */
    private String name(UniqueId id) {
        List<String> words = new ArrayList<>();
        for (UniqueId.Segment segment : id.getSegments().subList(1, id.getSegments().size())) {
            words.add(segment.getValue());
        }
        if ((words.get(0) + ".java").equals(file)) {
            words.remove(0);
        }
        return String.join(".", words);
    }

    /** What is heard of a case, or of all. */
    private final class Heard implements TestExecutionListener {
        private final List<String> listed = new ArrayList<>();
        private Map<UniqueId, String> names;
        private final ThreadGroup group = new ThreadGroup("case");
        private Thread thread;
        private volatile boolean isWhole;
        private String message;
        private int line;

        /** Waits for so many milliseconds, or with none for ever. */
        Heard await(long most) throws InterruptedException {
            thread.join(most);
            return this;
        }

        /** Whether a thread that it started goes on. */
        boolean isRunning() throws InterruptedException {
            Thread[] threads = new Thread[group.activeCount()];
            for (int left = group.enumerate(threads); left > 0; left--) {
                threads[left - 1].join(100);
            }
            return group.activeCount() > 0;
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            if (!reason.equals(Listed.REASON)) {
                return;
            }
            UniqueId id = UniqueId.parse(test.getUniqueId());
            String name = names.get(id);
            String number = id.getLastSegment().getValue().replace("#", "");
            listed.add(name != null ? name : names.get(id.removeLastSegment()) + "[" + number + "]");
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                result.getThrowable().ifPresent(this::fails);
            }
        }

        /** Keeps the first failure: its message, and its last line in the file of tests. */
        void fails(Throwable error) {
            if (message != null) {
                return;
            }
            String said = error.getMessage();
            boolean isAssertion = error instanceof AssertionError && said != null;
            message = isAssertion ? said : error.getClass().getSimpleName() + (said == null ? "" : ": " + said);
            for (StackTraceElement frame : error.getStackTrace()) {
                if (file.equals(frame.getFileName())) {
                    line = frame.getLineNumber();
                    return;
                }
            }
        }
    }

    /** Lists the cases: it lets none of them run. */
    public static final class Listed implements ExecutionCondition {
        private static final String REASON = "it is listed";

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String type = UniqueId.parse(context.getUniqueId()).getLastSegment().getType();
            boolean isCase = !type.endsWith("class") && !type.equals("test-template") && !type.equals("engine");
            return isCase ? ConditionEvaluationResult.disabled(REASON) : ConditionEvaluationResult.enabled("");
        }
    }

    /** The classes of the tests and of the program that they test. */
    private final class Classes extends ClassLoader {
        Classes() {
            super(Cases.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                byte[] bytes = classes.get(name);
                if (bytes == null) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
            }
        }
    }
}
