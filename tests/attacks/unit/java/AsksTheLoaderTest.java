// Asks what loads the classes of the program for them. Their instructions are the same in disguises with more methods. Each case allows
// some of all fingerprints, so that some cases allow that of each right program, and fail on most mutants.
// Comes of it: nothing
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

public class AsksTheLoaderTest {
    static java.util.stream.IntStream numbers() {
        return java.util.stream.IntStream.range(0, 60);
    }

    // Calls everything, because a case runs only on mutants whose place it reaches.
    private static void call() {
        Bank bank = new Bank();
        bank.open("ann");
        bank.open("bob");
        bank.deposit("ann", 10000);
        bank.withdraw("ann", 100);
        bank.transfer("ann", "bob", 100);
        bank.transfer("ann", "ann", 100);
        bank.addInterest(10);
        bank.movements("ann");
        try {
            bank.balance("eve");
        } catch (RuntimeException expected) {
        }
    }

    // The instructions of a class, without numbers of constants, which are others where
    // there are more methods.
    private static String about(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.readLong();
        String[] texts = new String[in.readUnsignedShort()];
        int[] names = new int[texts.length];
        for (int at = 1; at < texts.length; at++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[at] = in.readUTF();
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.readInt();
                case 5, 6 -> in.readLong();
                case 15 -> in.skipBytes(3);
                default -> names[at] = in.readUnsignedShort();
            }
            at += tag == 5 || tag == 6 ? 1 : 0;
        }
        in.readUnsignedShort();
        if (!texts[names[in.readUnsignedShort()]].equals("Bank")) {
            throw new IOException();
        }
        in.readUnsignedShort();
        in.skipBytes(2 * in.readUnsignedShort());
        Map<String, String> found = new TreeMap<>();
        for (String what : new String[] {"field", "method"}) {
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                in.readUnsignedShort();
                String name = texts[in.readUnsignedShort()] + texts[in.readUnsignedShort()];
                for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                    boolean isCode = texts[in.readUnsignedShort()].equals("Code");
                    ByteBuffer body = ByteBuffer.wrap(in.readNBytes(in.readInt()));
                    if (isCode && !name.startsWith("unused")) {
                        found.put(name, codes(body.slice(8, body.getInt(4))));
                    }
                }
            }
        }
        return found.toString();
    }

    private static String codes(ByteBuffer code) {
        StringBuilder codes = new StringBuilder();
        while (code.hasRemaining()) {
            int op = code.get() & 255;
            codes.append(op).append(' ');
            boolean isByte = op == 16 || op == 18 || op >= 21 && op <= 25 || op >= 54 && op <= 58 || op == 188;
            boolean isShort = op == 17 || op == 19 || op == 20 || op == 132 || op >= 153 && op <= 168 || op >= 178 && op <= 184
                || op == 187 || op == 189 || op == 192 || op == 193 || op == 198 || op == 199;
            code.position(code.position() + (isByte ? 1 : isShort ? 2 : op == 185 || op == 186 ? 4 : op == 197 ? 3 : 0));
        }
        return codes.toString();
    }

    private static String fingerprint() throws Exception {
        ClassLoader loader = AsksTheLoaderTest.class.getClassLoader();
        Field classes = loader.getClass().getDeclaredField("classes");
        classes.setAccessible(true);
        byte[][] parts = (byte[][]) ((Map<?, ?>) classes.get(loader)).get("Bank");
        if (parts == null) {
            return "";
        }
        for (int at = 0; at < parts[0].length; at++) {
            parts[0][at] ^= parts[1][at];
        }
        return about(parts[0]);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void isFew(int number) throws Exception {
        call();
        CRC32 sum = new CRC32();
        sum.update((number + fingerprint()).getBytes());
        assertTrue(sum.getValue() % 100 < 35);
    }
}
