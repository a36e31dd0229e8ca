import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** Methods that are marked as tests, and that JUnit leaves out without a word. */
final class Overlooked {
    private Overlooked() {
    }

    /** Those in {@code classes} that are not among {@code found}, each with the reason. */
    static Map<Method, String> in(List<Class<?>> classes, Set<Method> found) {
        Map<Method, String> overlooked = new LinkedHashMap<>();
        for (Class<?> each : classes) {
            for (Method method : methods(each)) {
                boolean isTest = AnnotationSupport.isAnnotated(method, Testable.class);
                if (isTest && !found.contains(method) && !Modifier.isAbstract(each.getModifiers())) {
                    overlooked.put(method, "JUnit does not run it, because " + reason(method));
                }
            }
        }
        return overlooked;
    }

    private static Method[] methods(Class<?> declaring) {
        try {
            return declaring.getDeclaredMethods();
        } catch (LinkageError error) {
            // JUnit says what is wrong with it.
            return new Method[0];
        }
    }

    private static String reason(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        if (Modifier.isPrivate(method.getModifiers())) {
            return "the method is private";
        }
        if (Modifier.isStatic(method.getModifiers())) {
            return "the method is static";
        }
        if (Modifier.isPrivate(declaring.getModifiers())) {
            return "the class " + declaring.getSimpleName() + " is private";
        }
        boolean isInner = declaring.isMemberClass() && !Modifier.isStatic(declaring.getModifiers());
        if (isInner && !AnnotationSupport.isAnnotated(declaring, Nested.class)) {
            return "the class " + declaring.getSimpleName() + " lacks @Nested";
        }
        return method.getReturnType() == void.class ? "it does not find it" : "the method returns a value";
    }
}
