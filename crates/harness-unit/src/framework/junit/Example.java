import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that use much of JUnit. They run once, so that a virtual machine can keep the classes that it loads. */
class Example {
    private int number;

    @BeforeEach
    void starts() {
        number = 1;
    }

    @AfterEach
    void ends() {
        number = 0;
    }

    @Test
    void passes() {
        assertThrows(NumberFormatException.class, () -> Integer.parseInt("a"));
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void fails(int number) {
        assertEquals(2, number);
    }

    @ParameterizedTest
    @CsvSource({"1, a"})
    void hasRows(int number, String text) {
        assertTrue(this.number == number && text.equals("a"));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void hasNumbers(int number) {
        assertEquals(List.of(this.number), List.of(number), "the number");
    }

    static List<Integer> numbers() {
        return List.of(1);
    }

    @RepeatedTest(1)
    void isRepeated() {
        assertEquals(1.0, number, 0.1);
    }

    @Nested
    @DisplayName("what is nested")
    class Inner {
        @Test
        void isNested() {
            assertEquals("1", "" + number);
        }
    }
}
