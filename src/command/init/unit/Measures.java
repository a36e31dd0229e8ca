/** What students test: functions of numbers, of which there is at least one. */
public class Measures {
    /** The largest of the numbers. */
    public static int largest(int... numbers) {
        int result = Bug.on("takes-zero-for-the-least") ? 0 : numbers[0];
        int end = Bug.on("leaves-out-the-last-number") ? numbers.length - 1 : numbers.length;
        for (int at = 0; at < end; at++) {
            result = Math.max(result, numbers[at]);
        }
        return result;
    }

    /** Their mean, rounded towards zero. */
    public static int mean(int... numbers) {
        long sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        if (Bug.on("rounds-down")) {
            return (int) Math.floorDiv(sum, (long) numbers.length);
        }
        return (int) (sum / numbers.length);
    }
}
