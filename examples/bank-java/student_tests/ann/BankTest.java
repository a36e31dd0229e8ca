import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BankTest {
    private final Bank bank = new Bank();

    @BeforeEach
    void openAccounts() {
        bank.open("ann");
        bank.open("bob");
    }

    @Test
    void anAccountOpensEmpty() {
        assertEquals(0, bank.balance("ann"));
        assertEquals(List.of(), bank.movements("ann"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "ann"})
    void aNameIsNeitherBlankNorTaken(String name) {
        assertThrows(IllegalArgumentException.class, () -> bank.open(name));
    }

    @Test
    void nobodyHasNoAccount() {
        assertThrows(NoSuchElementException.class, () -> bank.balance("eve"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void nobodyPaysNothing(int cents) {
        assertThrows(IllegalArgumentException.class, () -> bank.deposit("ann", cents));
        assertThrows(IllegalArgumentException.class, () -> bank.withdraw("ann", cents));
    }

    @Test
    void creditEnds() {
        bank.deposit("ann", 100);
        bank.withdraw("ann", 5100);
        assertEquals(-5000, bank.balance("ann"));
        assertThrows(IllegalStateException.class, () -> bank.withdraw("ann", 1));
    }

    @Nested
    class Transfers {
        @Test
        void moveMoney() {
            bank.transfer("ann", "bob", 70);
            assertEquals(-70, bank.balance("ann"));
            assertEquals(70, bank.balance("bob"));
        }

        @Test
        void toNobodyMoveNothing() {
            assertThrows(NoSuchElementException.class, () -> bank.transfer("ann", "eve", 70));
            assertEquals(0, bank.balance("ann"));
        }

        @Test
        void toOneselfChangeNothing() {
            bank.transfer("ann", "ann", 70);
            assertEquals(0, bank.balance("ann"));
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 3, 103", "50, 1, 51", "49, 1, 49", "1000000000, 7, 1070000000"})
    void interestIsRounded(int before, int percent, int after) {
        bank.deposit("ann", before);
        bank.addInterest(percent);
        assertEquals(after, bank.balance("ann"));
    }

    @Test
    void debtsAndNothingGetNoInterest() {
        bank.withdraw("ann", 1000);
        bank.addInterest(10);
        assertEquals(List.of(-1000), bank.movements("ann"));
        assertEquals(List.of(), bank.movements("bob"));
    }

    @Test
    void movementsAreInOrder() {
        bank.deposit("ann", 30);
        bank.withdraw("ann", 20);
        assertEquals(List.of(30, -20), bank.movements("ann"));
    }

    @Test
    void movementsAreACopy() {
        bank.movements("ann").add(99);
        assertEquals(List.of(), bank.movements("ann"));
    }
}
