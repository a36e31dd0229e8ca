import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Accounts with names, which hold cents. */
public class Bank {
    /** The most that can be withdrawn beyond what an account holds. */
    public static final int CREDIT = 5000;

    private final Map<String, Integer> balances = new HashMap<>();
    private final Map<String, List<Integer>> movements = new HashMap<>();

    /** Opens an account that holds nothing. Throws IllegalArgumentException if there is one with this name, or the name is blank. */
    public void open(String name) {
        boolean isFree = Bug.on("forgets-an-account-that-is-opened-again") || !balances.containsKey(name);
        boolean isBlank = Bug.on("takes-a-name-of-blanks") ? name.isEmpty() : name.isBlank();
        if (!isFree || isBlank) {
            throw new IllegalArgumentException("the name \"" + name + "\" is blank or taken");
        }
        balances.put(name, 0);
        movements.put(name, new ArrayList<>());
    }

    /** What an account holds. Throws NoSuchElementException if there is none with this name, as the other methods do. */
    public int balance(String name) {
        Integer balance = balances.get(name);
        if (balance == null) {
            if (Bug.on("says-zero-where-no-account-is")) {
                return 0;
            }
            throw new NoSuchElementException(name);
        }
        return balance;
    }

    /** Adds cents to an account. Throws IllegalArgumentException unless they are more than zero. */
    public void deposit(String name, int cents) {
        int balance = balance(name);
        if (cents < 0 || cents == 0 && !Bug.on("takes-a-deposit-of-nothing")) {
            throw new IllegalArgumentException(cents + " cents");
        }
        move(name, balance, cents);
    }

    /** Takes cents from an account, at most 5000 more than it holds. Throws IllegalStateException if that is not enough. */
    public void withdraw(String name, int cents) {
        int balance = balance(name);
        if (cents <= 0 && !Bug.on("withdraws-less-than-nothing")) {
            throw new IllegalArgumentException(cents + " cents");
        }
        int left = balance - cents;
        boolean isEnough = Bug.on("keeps-the-last-cent-of-credit") ? left > -CREDIT : left >= -CREDIT;
        if (Bug.on("gives-no-credit")) {
            isEnough = left >= 0;
        }
        if (!isEnough) {
            throw new IllegalStateException(name + " holds only " + balance + " cents");
        }
        move(name, balance, -cents);
    }

    /** Moves cents from one account to another, or throws what deposit and withdraw throw, and moves none. */
    public void transfer(String from, String to, int cents) {
        if (Bug.on("takes-from-the-giver-before-it-knows-the-receiver")) {
            withdraw(from, cents);
            deposit(to, cents);
            return;
        }
        int balance = balance(to);
        withdraw(from, cents);
        if (Bug.on("makes-money-of-a-transfer-to-oneself")) {
            move(to, balance, cents);
        } else {
            deposit(to, cents);
        }
    }

    /** Adds the interest of a year to each account that holds more than zero: so many per cent, rounded to whole cents, the half up. */
    public void addInterest(int percent) {
        for (String name : balances.keySet()) {
            int balance = balances.get(name);
            if (balance <= 0 && !Bug.on("charges-interest-for-debts")) {
                continue;
            }
            long hundredths = (long) balance * percent;
            if (Bug.on("computes-interest-in-ints")) {
                hundredths = balance * percent;
            }
            int half = Bug.on("rounds-interest-down") ? 0 : 50;
            int interest = (int) ((hundredths + half) / 100);
            if (interest != 0 || Bug.on("lists-interest-of-nothing")) {
                move(name, balance, interest);
            }
        }
    }

    /** What was added to an account and taken from it, in order. What a caller does with the list changes nothing here. */
    public List<Integer> movements(String name) {
        balance(name);
        List<Integer> all = movements.get(name);
        return Bug.on("hands-out-its-own-list") ? all : new ArrayList<>(all);
    }

    private void move(String name, int balance, int cents) {
        balances.put(name, balance + cents);
        int at = Bug.on("lists-the-last-movement-first") ? 0 : movements.get(name).size();
        movements.get(name).add(at, Bug.on("lists-amounts-without-their-signs") ? Math.abs(cents) : cents);
    }
}
