//! Searches in one process, from Rust: each has its own time, engine and request to end.

use harness::catalogue::Witness;
use harness::course::Course;
use harness::domain::Draft;
use harness::generate::Evaluator;
use harness::run::engine::Preference;
use harness::run::work::Work;
use std::path::Path;
use std::thread;
use std::time::Duration;
use subject::MutantSet;

fn course() -> Course {
    Course::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("harness.yaml")).unwrap()
}

fn evaluator<'a>(work: &Work, course: &'a Course) -> Evaluator<'a> {
    Evaluator::build(work, course, course.assignment("puzzle").unwrap(), 1).unwrap()
}

/// A few witnesses.
fn drafts(evaluator: &Evaluator<'_>) -> Vec<Draft> {
    let witnesses = evaluator.mutants.iter().filter_map(|mutant| mutant.witness.as_ref());
    witnesses.map(Witness::draft).take(8).collect()
}

#[test]
fn a_search_that_ends_does_not_end_another() {
    let (work, course) = (Work::default(), course());
    let (mut short, mut long) = (evaluator(&work, &course), evaluator(&work, &course));
    let (drafts, all) = (drafts(&long), MutantSet::all(long.mutants.len()));
    long.limit(Duration::from_secs(3600));
    let expected = long.exposed(&drafts, &all).unwrap();
    assert!(expected.iter().all(|exposed| !exposed.is_empty()));
    thread::scope(|scope| {
        let ended = scope.spawn(|| {
            short.limit(Duration::from_millis(50));
            while !short.programs.work().search.has_ended() {
                short.exposed(&drafts, &all).unwrap();
            }
            short.exposed(&drafts, &all).unwrap()
        });
        loop {
            let is_alone = ended.is_finished();
            assert_eq!(long.exposed(&drafts, &all).unwrap(), expected);
            if is_alone {
                break;
            }
        }
        let nothing = ended.join().unwrap();
        assert!(nothing.iter().all(MutantSet::is_empty), "it ran after its end: {nothing:?}");
    });
    assert!(!long.out_of_time());
}

#[test]
fn searches_have_settings_of_their_own() {
    let (course, fast, slow) = (course(), Work::default(), Work::new(Preference::Process));
    let [mut fast_arena, mut slow_arena] = [&fast, &slow].map(|work| evaluator(work, &course));
    let draft = &drafts(&fast_arena)[..1];
    // A process does not tell which mutants it reaches.
    let tells = |evaluator: &mut Evaluator<'_>| evaluator.rows(draft).unwrap()[0].reached.is_some();
    assert!(tells(&mut fast_arena) && !tells(&mut slow_arena));
    slow.cancellation.cancel();
    assert!(slow_arena.out_of_time() && !fast_arena.out_of_time());
}
