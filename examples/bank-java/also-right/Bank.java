import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** The same bank, written by somebody else: an account is the list of its movements. */
public class Bank {
    public static final int CREDIT = 5000;

    private final Map<String, LinkedList<Integer>> accounts = new LinkedHashMap<>();

    public void open(String name) {
        if (name.trim().equals("")) {
            throw new IllegalArgumentException("an account needs a name");
        }
        if (accounts.putIfAbsent(name, new LinkedList<>()) != null) {
            throw new IllegalArgumentException("there is an account of " + name);
        }
    }

    public int balance(String name) {
        return sum(account(name));
    }

    public void deposit(String name, int cents) {
        Collection<Integer> account = account(name);
        check(cents);
        account.add(cents);
    }

    public void withdraw(String name, int cents) {
        Collection<Integer> account = account(name);
        check(cents);
        if (cents - sum(account) > CREDIT) {
            throw new IllegalStateException("too much");
        }
        account.add(-cents);
    }

    public void transfer(String from, String to, int cents) {
        account(to);
        withdraw(from, cents);
        deposit(to, cents);
    }

    public void addInterest(int percent) {
        for (LinkedList<Integer> account : accounts.values()) {
            int interest = (int) Math.round(Math.max(0, sum(account)) * (percent / 100.0));
            if (interest > 0) {
                account.addLast(interest);
            }
        }
    }

    public List<Integer> movements(String name) {
        return new LinkedList<>(account(name));
    }

    private LinkedList<Integer> account(String name) {
        LinkedList<Integer> account = accounts.get(name);
        if (account == null) {
            throw new NoSuchElementException("nobody is called " + name);
        }
        return account;
    }

    private static int sum(Collection<Integer> account) {
        return account.stream().mapToInt(Integer::intValue).sum();
    }

    private static void check(int cents) {
        if (cents < 1) {
            throw new IllegalArgumentException("not a payment: " + cents);
        }
    }
}
