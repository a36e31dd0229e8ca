//! How what runs in the background is asked to end.

use std::time::Duration;
use tokio::sync::watch;

/// How far the end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Working,
    /// What was begun may be finished, if that does not take long.
    Ending,
    /// Everything ends at once.
    AtOnce,
}

/// Whoever may ask for the end.
pub struct Asker(watch::Sender<Phase>);

/// Tells whether somebody asked for the end.
#[derive(Clone)]
pub struct Stop(watch::Receiver<Phase>);

pub fn channel() -> (Asker, Stop) {
    let (sender, receiver) = watch::channel(Phase::Working);
    (Asker(sender), Stop(receiver))
}

impl Asker {
    /// Asks for the end. Asked again, everything ends at once.
    pub fn ask(&self) {
        self.0.send_modify(|phase| {
            *phase = match phase {
                Phase::Working => Phase::Ending,
                _ => Phase::AtOnce,
            }
        });
    }

    /// Asks for the end with each signal that says so. It never returns.
    ///
    /// # Panics
    /// If the system does not tell of signals.
    pub async fn ask_at_signals(self) {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).expect("the system tells of signals");
        let mut terminated = listen(SignalKind::terminate());
        let mut interrupted = listen(SignalKind::interrupt());
        loop {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
            }
            self.ask();
        }
    }
}

impl Stop {
    pub fn phase(&self) -> Phase {
        *self.0.borrow()
    }

    /// Waits until somebody asks for the end.
    pub async fn asked(&self) {
        self.reached(Phase::Ending).await;
    }

    /// Waits until what was begun must end too: so long after somebody asked, or when somebody asked again.
    pub async fn is_over(&self, grace: Duration) {
        self.asked().await;
        tokio::select! {
            () = tokio::time::sleep(grace) => {}
            () = self.reached(Phase::AtOnce) => {}
        }
    }

    async fn reached(&self, least: Phase) {
        let mut phase = self.0.clone();
        if phase.wait_for(|phase| *phase >= least).await.is_err() {
            // Nobody is left who could ask.
            std::future::pending::<()>().await;
        }
    }
}
