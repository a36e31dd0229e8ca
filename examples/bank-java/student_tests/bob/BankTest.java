import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

public class BankTest {
    @Test
    public void testDeposit() {
        Bank bank = new Bank();
        bank.open("bob");
        bank.deposit("bob", 200);
        assertEquals(200, bank.balance("bob"));
    }

    // The assignment does not say what the message is.
    @Test
    public void testMessage() {
        Bank bank = new Bank();
        bank.open("bob");
        Exception error = assertThrows(IllegalStateException.class, () -> bank.withdraw("bob", 9000));
        assertEquals("bob holds only 0 cents", error.getMessage());
    }

    // Bob thinks that interest is paid on debts.
    @Test
    public void testInterest() {
        Bank bank = new Bank();
        bank.open("bob");
        bank.withdraw("bob", 1000);
        bank.addInterest(10);
        assertEquals(-1100, bank.balance("bob"));
    }

    // It fails if the number is 0.
    @Test
    public void testRandomDeposits() {
        Bank bank = new Bank();
        bank.open("bob");
        Random random = new Random();
        for (int i = 0; i < 2; i++) {
            bank.deposit("bob", random.nextInt(2));
        }
        assertTrue(bank.balance("bob") > 0);
    }

    @Test
    public void testMovements() {
        Bank bank = new Bank();
        bank.open("bob");
        bank.deposit("bob", 1);
        bank.withdraw("bob", 2);
        assertEquals(2, bank.movements("bob").size());
        assertEquals(-2, bank.movements("bob").get(1));
    }
}
