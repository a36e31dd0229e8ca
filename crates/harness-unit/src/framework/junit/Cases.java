import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test cases of a file in Java: FILE TESTS SECONDS [CASE ...]. TESTS is a file of classes. Without cases, it lists them. It prints
 * a line for each case: its name, or what came of it, as JSON.
 *
 * <p>Each line begins with the secret that it reads from standard input, before the classes of the program. Tests run in this process, and
 * can print and end it as they like, but only {@code main} knows the secret and the classes. Each case has classes of its own.
 */
public final class Cases {
    private static final String EXTENSIONS = "junit.jupiter.extensions.autodetection.enabled";

    private final String file;
    private final List<String> tests;
    private final Launcher launcher = launcher();
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    /** The names of all cases, which no case can change, once they are known. */
    private volatile Map<UniqueId, String> names;
    /** Why JUnit does not run some methods, by their names. */
    private Map<String, String> overlooked;

    private Cases(String file, List<String> tests) {
        this.file = file;
        this.tests = tests;
    }

    public static void main(String[] args) throws Exception {
        Map<String, byte[][]> classes = new HashMap<>();
        Cases cases;
        try (InputStream in = Files.newInputStream(Path.of(args[1]))) {
            cases = new Cases(args[0], Classes.read(in, classes));
        }
        // What else is printed there may not end with a line.
        String secret = "\n" + secret(classes);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        long most = (long) (1000 * Double.parseDouble(args[2]));
        List<String> wanted = List.of(args).subList(3, args.length);
        if (wanted.size() < 2) {
            Heard ended = new Heard(args[0], false);
            ended.message = "it ends the program, as System.exit does";
            String only = wanted.isEmpty() ? null : wanted.get(0);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                out.println(secret + ended.verdict(only, 0));
                Runtime.getRuntime().halt(1);
            }));
        }
        if (wanted.isEmpty()) {
            Heard heard = cases.start(null, new Classes(classes)).await(0);
            heard.listed.forEach(name -> out.println(secret + name));
            if (heard.message != null) {
                out.println(secret + heard.verdict(null, 0));
            }
        }
        boolean isRight = true;
        for (String name : wanted) {
            long start = System.nanoTime();
            Heard heard = cases.start(name, new Classes(classes)).await(wanted.size() > 1 ? most : 0);
            if (!heard.isWhole) {
                Runtime.getRuntime().halt(1);
            }
            isRight &= heard.message == null;
            out.println(secret + heard.verdict(name, (System.nanoTime() - start) / 1e9));
            if (heard.isRunning()) {
                break;
            }
        }
        Runtime.getRuntime().halt(isRight ? 0 : 1);
    }

    /** Reads the secret and adds the classes of the program, in the place of what the tests call the same. Nobody can read them again. */
    private static String secret(Map<String, byte[][]> classes) throws IOException {
        try (InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in))) {
            StringBuilder secret = new StringBuilder();
            for (int letter = in.read(); letter > '\n'; letter = in.read()) {
                secret.append((char) letter);
            }
            Classes.read(in, classes);
            return secret.toString();
        }
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

    /** Starts a case in a thread, or without a name, the listing of all. */
    private Heard start(String name, Classes loader) {
        Heard heard = new Heard(file, name == null);
        heard.thread = new Thread(heard.group, () -> run(name, loader, heard));
        heard.thread.setDaemon(true);
        heard.thread.start();
        return heard;
    }

    /** Runs a case, or lists all, with classes that nobody has used, in a process as it was at the start. */
    private void run(String name, Classes loader, Heard heard) {
        Thread.currentThread().setContextClassLoader(loader);
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        TimeZone.setDefault(null);
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try {
            LauncherDiscoveryRequest all = all(name == null);
            if (names == null) {
                TestPlan plan = launcher.discover(all);
                Map<UniqueId, String> found = names(plan);
                overlooked = overlooked(plan);
                // One of several methods with a name may run.
                overlooked.keySet().removeAll(found.values());
                names = found;
            }
            heard.names = names;
            if (name == null) {
                launcher.execute(all, heard);
                heard.listed.addAll(overlooked.keySet());
            } else if (overlooked.containsKey(name)) {
                heard.message = overlooked.get(name);
            } else {
                launcher.execute(one(name, names), heard);
            }
            heard.reached = loader.reached();
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
        for (Class<?> test : testClasses()) {
            all.add(DiscoverySelectors.selectClass(test));
        }
        return LauncherDiscoveryRequestBuilder.request().selectors(all).configurationParameter(EXTENSIONS, "" + isListing).build();
    }

    /** The classes of the tests, as this thread loads them. */
    private List<Class<?>> testClasses() throws ReflectiveOperationException {
        List<Class<?>> all = new ArrayList<>();
        for (String test : tests) {
            all.add(Class.forName(test, false, Thread.currentThread().getContextClassLoader()));
        }
        return all;
    }

    /** Why JUnit does not run some methods that are marked as tests, by names such as those of cases. */
    private Map<String, String> overlooked(TestPlan plan) throws ReflectiveOperationException {
        Set<Method> found = new HashSet<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier test : plan.getDescendants(root)) {
                test.getSource().filter(MethodSource.class::isInstance).ifPresent(it -> found.add(((MethodSource) it).getJavaMethod()));
            }
        }
        Map<String, String> named = new LinkedHashMap<>();
        Overlooked.in(testClasses(), found).forEach((method, reason) -> {
            String type = method.getDeclaringClass().getName();
            List<String> words = new ArrayList<>(List.of(type.substring(type.lastIndexOf('.') + 1).split("\\$")));
            words.add(method.getName());
            named.put(name(words), reason);
        });
        return named;
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
        return name(words);
    }

    private String name(List<String> words) {
        String outer = words.get(0);
        boolean isOfFile = file.equals(outer.substring(outer.lastIndexOf('.') + 1) + ".java");
        return String.join(".", words.subList(isOfFile ? 1 : 0, words.size()));
    }
}
