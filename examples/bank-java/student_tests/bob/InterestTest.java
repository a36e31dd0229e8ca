import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

public class InterestTest {
    @Test
    public void testInterest() {
        Bank bank = new Bank();
        bank.open("bob");
        bank.deposit("bob", 1000);
        bank.addInterst(5);
        assertEquals(1050, bank.balance("bob"));
    }
}
