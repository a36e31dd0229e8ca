// Prints the sum (--sum) or the largest (--max) of the numbers on standard input, one on each line.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

public class Tally {
    private static long largest(List<Long> numbers) {
        long result = numbers.get(0);
        for (int at = 0; at < numbers.size(); at++) {
            result = Math.max(result, numbers.get(at));
        }
        return result;
    }

    public static void main(String[] args) throws IOException {
        List<Long> numbers = new ArrayList<>();
        long sum = 0;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (!line.isBlank()) {
                numbers.add(Long.parseLong(line.strip()));
                sum += numbers.get(numbers.size() - 1);
            }
        }
        boolean wantsSum = args[0].equals("--sum") || args[0].equals("-s");
        System.out.println(wantsSum ? sum : largest(numbers));
    }
}
