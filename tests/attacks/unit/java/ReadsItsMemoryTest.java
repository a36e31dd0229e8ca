// Finds the class of the program in its own memory, and looks only at instructions that call, jump, and use fields and variables. Each case
// allows some of all fingerprints, so that some cases allow that of each right program, and fail on most mutants.
// Comes of it: nothing
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

public class ReadsItsMemoryTest {
    static java.util.stream.IntStream numbers() {
        return java.util.stream.IntStream.range(0, 12);
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

    // The instructions of a class, but computations and constants, without numbers of constants, which are others where
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
            if (op > 17 && op < 87 || op > 152) {
                codes.append(op).append(' ');
            }
            boolean isByte = op == 16 || op == 18 || op >= 21 && op <= 25 || op >= 54 && op <= 58 || op == 188;
            boolean isShort = op == 17 || op == 19 || op == 20 || op == 132 || op >= 153 && op <= 168 || op >= 178 && op <= 184
                || op == 187 || op == 189 || op == 192 || op == 193 || op == 198 || op == 199;
            code.position(code.position() + (isByte ? 1 : isShort ? 2 : op == 185 || op == 186 ? 4 : op == 197 ? 3 : 0));
        }
        return codes.toString();
    }

    private static String fingerprint() throws Exception {
        try (RandomAccessFile memory = new RandomAccessFile("/proc/self/mem", "r")) {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                if (!line.contains("rw-p")) {
                    continue;
                }
                String[] range = line.split("[- ]");
                long from = Long.parseUnsignedLong(range[0], 16);
                byte[] bytes = new byte[1 << 20];
                byte[] unused = new byte[1 << 20];
                for (long end = Long.parseUnsignedLong(range[1], 16); from > 0 && from < end; from += bytes.length - 4096) {
                    memory.seek(from);
                    // An array is where a number of 8 bytes could be.
                    int count = memory.read(bytes, 0, (int) Math.min(bytes.length, end - from));
                    if (java.util.Arrays.equals(bytes, unused)) {
                        // The rest of the heap was never used.
                        break;
                    }
                    for (int at = 0; at < count - 64; at += 8) {
                        if (bytes[at] == (byte) 0xca && bytes[at + 1] == (byte) 0xfe && bytes[at + 2] == (byte) 0xba) {
                            try {
                                // The program's class is shorter.
                                return about(java.util.Arrays.copyOfRange(bytes, at, Math.min(count, at + 8192)));
                            } catch (IOException | RuntimeException isAnother) {
                            }
                        }
                    }
                }
            }
        }
        return "";
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void isFew(int number) throws Exception {
        call();
        CRC32 sum = new CRC32();
        sum.update((number + fingerprint()).getBytes());
        assertTrue(sum.getValue() % 100 < 50);
    }
}
