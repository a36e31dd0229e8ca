import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that use much of JUnit. They run once, so that a virtual machine can keep the classes that it loads. */
class Example {
    @Test
    void passes() {
        assertThrows(NumberFormatException.class, () -> Integer.parseInt("a"));
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void fails(int number) {
        assertEquals(2, number);
    }
}
