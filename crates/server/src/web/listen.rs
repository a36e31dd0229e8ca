//! Takes connections, and gives each request to the router. A connection that sends nothing, or headers without end, is closed.

use super::reader::Reader;
use super::router;
use crate::app::App;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How many connections are open at the same time, if there may be so many open files. More wait.
const CONNECTIONS: usize = 4_000;

/// The open files that are left for the rest: the database, workers and courses.
const OTHER_FILES: u64 = 200;

/// How long the headers of a request may take, and how long a connection waits for its next request.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How long the other end may read nothing of an answer.
const LONGEST_STALL: Duration = Duration::from_secs(20);

/// The most headers of a request, and the most bytes that they have.
const MOST_HEADERS: usize = 64;
const LONGEST_HEADERS: usize = 64 << 10;

/// Serves until `asked_to_end` is done, and then until what was begun has ended, which for a page that waits for news is never.
pub async fn serve(listener: TcpListener, app: &App, asked_to_end: impl Future<Output = ()>) {
    let router = TowerToHyperService::new(router(app));
    let http = http();
    let room = Arc::new(Semaphore::new(connections()));
    let graceful = GracefulShutdown::new();
    let mut asked_to_end = std::pin::pin!(asked_to_end);
    loop {
        let next = async {
            let place = room.clone().acquire_owned().await.expect("the room is never closed");
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            next = next => next,
            () = &mut asked_to_end => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // There may be too many open files. Some will be closed.
                tracing::warn!(%error, "a connection was not taken");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            router.call(request)
        });
        let connection =
            http.serve_connection(TokioIo::new(Reader::new(stream, LONGEST_STALL)), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A visitor who goes away is no news.
            let _ = connection.await;
            drop(place);
        });
    }
    graceful.shutdown().await;
}

/// How many connections there may be, after this process was allowed as many open files as they need, if the machine does.
fn connections() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = CONNECTIONS as u64 + OTHER_FILES;
    let most = limit.maximum.map_or(wanted, |most| most.min(wanted));
    let mut files = limit.current.unwrap_or(wanted);
    let raised = Rlimit { current: Some(most), maximum: limit.maximum };
    if files < most && setrlimit(Resource::Nofile, raised).is_ok() {
        files = most;
    }
    let left = files.saturating_sub(OTHER_FILES).max(files / 2);
    usize::try_from(left).unwrap_or(CONNECTIONS).min(CONNECTIONS)
}

fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(LONGEST_WAIT);
    http.max_headers(MOST_HEADERS).max_buf_size(LONGEST_HEADERS);
    http
}
