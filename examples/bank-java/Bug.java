/**
 * Marks the places of bugs in a program whose tests {@code harness} grades.
 *
 * <p>Copy this file beside your program and write each bug where it takes effect:
 *
 * <pre>{@code String order = Bug.on("goes-west-before-east") ? "WE" : "EW";}</pre>
 *
 * <p>{@code Bug.on(id)} is false, unless the environment variable SUBJECT_MUTANT contains the id. So the program is correct when a person
 * runs it, and {@code SUBJECT_MUTANT=goes-west-before-east java Program} runs one mutant. Write the id as a literal, because
 * {@code harness} compares the ids in the source with the catalogue.
 */
public final class Bug {
    private static final String SELECTED = System.getenv("SUBJECT_MUTANT");

    private Bug() {}

    /** Whether the mutant with this id is selected. */
    public static boolean on(String id) {
        return id.equals(SELECTED);
    }
}
