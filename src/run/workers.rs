//! The engine for crates that link `subject`: the clean build of the reference beside the combined build, both as workers.

use super::programs::{Run, no_combined_build};
use crate::domain::Domain;
use crate::problem::Failure;
use crate::run::build::Runnable;
use crate::run::judge;
use crate::run::matrix::Row;
use crate::run::worker::{Pool, Settings};
use subject::End;
use subject::wire::{Answer, Detail, Hello, MutantSet, Request};

/// Workers of both builds.
pub(super) struct Workers {
    domain: &'static dyn Domain,
    clean: Pool,
    /// `None` if only the reference is wanted.
    combined: Option<Pool>,
}

impl Workers {
    /// Workers of the clean build with these settings, and of the `combined` build if it is given.
    pub(super) fn new(
        domain: &'static dyn Domain,
        settings: Settings,
        combined: Option<Runnable>,
        jobs: usize,
    ) -> Self {
        let combined =
            combined.map(|runnable| Pool::new(&Settings { runnable, ..settings.clone() }, jobs));
        let hello = Hello { ids: Vec::new(), limits: settings.hello.limits };
        Self { domain, clean: Pool::new(&Settings { hello, ..settings }, jobs), combined }
    }

    pub(super) fn rows(&mut self, runs: &[Run<'_>], detail: Detail) -> Result<Vec<Row>, Failure> {
        let Some(combined) = &mut self.combined else { return self.reference_rows(runs) };
        let detail = judge::detail(self.domain, detail);
        let requests: Vec<_> =
            runs.iter().map(|run| request(run, run.mutants.clone(), detail)).collect();
        let answers = combined.rows(&requests)?;
        let asked = runs.iter().zip(&answers).filter(|(_, answer)| !is_over(answer));
        let requests: Vec<_> =
            asked.map(|(run, _)| request(run, MutantSet::default(), Detail::Reference)).collect();
        let mut clean = self.clean.rows(&requests)?.into_iter();
        let mut rows = Vec::with_capacity(runs.len());
        for (answer, run) in answers.into_iter().zip(runs) {
            let clean = if is_over(&answer) { None } else { clean.next() };
            let answer = judge::judged(self.domain, run.case, answer);
            let agrees = clean.as_ref().is_none_or(|clean| clean.reference == answer.reference);
            rows.push(Row {
                reference: clean.map_or(answer.reference, |clean| clean.reference),
                exposed: answer.differing,
                reached: Some(answer.reached),
                agrees,
            });
        }
        Ok(rows)
    }

    /// Runs batches on the combined build alone.
    pub(super) fn sweep<K, T: Send>(
        &mut self,
        count: usize,
        make: impl Fn(usize) -> (Vec<Request>, K) + Sync,
        digest: impl Fn(usize, K, Vec<Answer>) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let Some(combined) = &mut self.combined else { return Err(no_combined_build()) };
        let domain = self.domain;
        // Only a domain that judges needs the cases again.
        let is_judged = domain.has_many_answers();
        let answers = combined.sweep(
            count,
            |at| {
                let (mut requests, known) = make(at);
                for request in &mut requests {
                    request.detail = judge::detail(domain, request.detail);
                }
                let judged = requests.iter().filter(|_| is_judged);
                let cases: Vec<_> = judged.map(|request| request.case.clone()).collect();
                (requests, (cases, known))
            },
            |at, (cases, known), mut answers| {
                if is_judged {
                    let judged = cases.iter().zip(answers);
                    answers =
                        judged.map(|(case, answer)| judge::judged(domain, case, answer)).collect();
                }
                digest(at, known, answers)
            },
        )?;
        Ok(answers)
    }

    fn reference_rows(&mut self, runs: &[Run<'_>]) -> Result<Vec<Row>, Failure> {
        let requests: Vec<_> =
            runs.iter().map(|run| request(run, MutantSet::default(), Detail::Reference)).collect();
        let row = |answer: Answer| Row {
            reference: answer.reference,
            exposed: Vec::new(),
            reached: None,
            agrees: true,
        };
        Ok(self.clean.rows(&requests)?.into_iter().map(row).collect())
    }
}

fn request(run: &Run<'_>, mutants: MutantSet, detail: Detail) -> Request {
    Request { case: run.case.clone(), mutants, detail, steps: None }
}

/// Whether the reference takes too many steps on the case. The clean build counts no steps, so it is not run on such a case.
fn is_over(answer: &Answer) -> bool {
    answer.reference.end == End::Timeout
}
