import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The classes of the tests and of the program that they test. */
final class Classes extends ClassLoader {
    /** Those that are not defined yet. The bytes of each are made of two arrays, so that nobody finds them in memory. */
    private final Map<String, byte[][]> classes;

    /** Defines classes at once, so that no test finds in it what they are made of. */
    Classes(Map<String, byte[][]> classes) {
        super(Classes.class.getClassLoader());
        this.classes = new HashMap<>(classes);
        for (String name : classes.keySet()) {
            try {
                loadClass(name, false);
            } catch (ClassNotFoundException | LinkageError | SecurityException error) {
                // What needs it fails then, and says why.
            }
        }
    }

    /** Adds the classes that are read, if there are some, and gives their names. */
    static List<String> read(InputStream from, Map<String, byte[][]> classes) throws IOException {
        List<String> names = new ArrayList<>();
        DataInputStream in = new DataInputStream(from);
        for (int left = in.available() > 0 ? in.readInt() : 0; left > 0; left--) {
            String name = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
            names.add(name);
            classes.put(name, new byte[][] {in.readNBytes(in.readInt()), in.readNBytes(in.readInt())});
        }
        return names;
    }

    /** What was reached, if the program has the class that keeps it. */
    List<String> reached() {
        try {
            Field reached = loadClass("harness.Reached").getDeclaredField("reached");
            reached.setAccessible(true);
            return ((Set<?>) reached.get(null)).stream().map(String::valueOf).collect(Collectors.toList());
        } catch (ReflectiveOperationException | LinkageError error) {
            return List.of();
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            byte[][] parts = classes.get(name);
            if (parts == null) {
                return super.loadClass(name, resolve);
            }
            Class<?> defined = define(name, parts[0], parts[1]);
            classes.remove(name);
            return defined;
        }
    }

    /** Defines a class by bytes that stand together only as long as this takes, in memory that the machine does not copy. */
    private Class<?> define(String name, byte[] random, byte[] hidden) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(hidden.length);
        try {
            for (int at = 0; at < hidden.length; at++) {
                bytes.put((byte) (random[at] ^ hidden[at]));
            }
            return defineClass(name, bytes.flip(), null);
        } finally {
            bytes.clear().put(new byte[hidden.length]);
        }
    }
}
