import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** What is heard of a case, or of all. */
final class Heard implements TestExecutionListener {
    /** The name of the file of tests. */
    private final String file;
    final ThreadGroup group = new ThreadGroup("case");
    Thread thread;
    /** The names of all methods that are tests. */
    Map<UniqueId, String> names;
    /** The cases that were listed. */
    final List<String> listed = new ArrayList<>();
    /** The bugs whose places were reached. */
    List<String> reached = List.of();
    /** Whether it ran to its end. */
    volatile boolean isWhole;
    /** The first failure, and its line in the file of tests, if it has one. */
    String message;
    private int line;
    /** Why the case was skipped, if it was. */
    private String skipped;

    /** Whether cases are only listed. */
    private final boolean isListing;

    Heard(String file, boolean isListing) {
        this.file = file;
        this.isListing = isListing;
    }

    /** What came of the case with this name, as a line of JSON. */
    String verdict(String name, double seconds) {
        StringBuilder said = new StringBuilder("{\"case\": ").append(quoted(name));
        said.append(", \"passed\": ").append(message == null).append(", \"seconds\": ").append((float) seconds);
        if (message != null) {
            said.append(", \"message\": ").append(quoted(message));
        }
        if (skipped != null) {
            said.append(", \"skipped\": ").append(quoted(skipped));
        }
        if (line > 0) {
            said.append(", \"line\": ").append(line);
        }
        String ids = reached.stream().map(Heard::quoted).collect(Collectors.joining(", "));
        return said + ", \"reached\": [" + ids + "]}";
    }

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
        UniqueId id = UniqueId.parse(test.getUniqueId());
        if (!reason.equals(Listed.REASON)) {
            skips(id, reason);
            return;
        }
        String name = names.get(id);
        String number = id.getLastSegment().getValue().replace("#", "");
        listed.add(name != null ? name : names.get(id.removeLastSegment()) + "[" + number + "]");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        UniqueId id = UniqueId.parse(test.getUniqueId());
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            skips(id, result.getThrowable().map(Throwable::getMessage).orElse(""));
        } else if (result.getStatus() == TestExecutionResult.Status.FAILED && !isListed(id)) {
            result.getThrowable().ifPresent(this::fails);
        }
    }

    /** Keeps why a class or a case is skipped. */
    private void skips(UniqueId id, String reason) {
        if (!isListed(id)) {
            skipped = reason == null ? "" : reason;
        }
    }

    /** Lists the methods in a class, or a method, that cannot be listed otherwise. What keeps them from that happens again when one runs. */
    private boolean isListed(UniqueId id) {
        if (!isListing || names.keySet().stream().noneMatch(it -> it.hasPrefix(id))) {
            return false;
        }
        names.forEach((method, name) -> {
            boolean isKnown = listed.stream().anyMatch(it -> it.equals(name) || it.startsWith(name + "["));
            if (method.hasPrefix(id) && !isKnown) {
                listed.add(name);
            }
        });
        return true;
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
}
