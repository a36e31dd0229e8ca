import java.util.Arrays;

/** The same, written otherwise. */
public class Measures {
    public static int largest(int... numbers) {
        return Arrays.stream(numbers).max().getAsInt();
    }

    public static int mean(int... numbers) {
        return (int) (Arrays.stream(numbers).asLongStream().sum() / numbers.length);
    }
}
