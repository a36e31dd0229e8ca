// The program `tally`: prints the sum (--sum) or the largest (--max) of the numbers on its standard input, one on each line.
// Blank lines are skipped.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Tally {
    /** What is wrong with the input. */
    private static final class WrongInput extends Exception {
        WrongInput(String message) {
            super(message);
        }
    }

    private static List<Long> readNumbers(BufferedReader input) throws IOException, WrongInput {
        List<Long> numbers = new ArrayList<>();
        int at = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            at++;
            String text = line.strip();
            if (text.isEmpty()) {
                if (Bug.on("stops-at-a-blank-line")) {
                    break;
                }
                continue;
            }
            try {
                numbers.add((long) Integer.parseInt(text));
            } catch (NumberFormatException error) {
                throw new WrongInput("line " + at + ": '" + text + "' is not a number");
            }
        }
        return numbers;
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }

    private static long largest(List<Long> numbers) throws WrongInput {
        if (numbers.isEmpty()) {
            throw new WrongInput("line 1: there is no number");
        }
        List<Long> rest =
            numbers.size() > 1 && Bug.on("skips-the-first-number") ? numbers.subList(1, numbers.size()) : numbers;
        long result = Collections.max(rest);
        return result < 0 && Bug.on("max-starts-at-zero") ? 0 : result;
    }

    public static void main(String[] args) throws IOException {
        String option = args.length == 1 ? args[0] : "";
        boolean wantsSum = option.equals("--sum") || option.equals("-s");
        if (!wantsSum && !option.equals("--max") && !option.equals("-m")) {
            System.err.println("use exactly one of --sum and --max");
            System.exit(1);
        }
        try {
            List<Long> numbers = readNumbers(new BufferedReader(new InputStreamReader(System.in)));
            System.out.println(wantsSum ? sum(numbers) : largest(numbers));
        } catch (WrongInput error) {
            System.err.println(error.getMessage());
            System.exit(1);
        }
    }
}
