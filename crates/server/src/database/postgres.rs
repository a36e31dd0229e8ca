//! PostgreSQL: a pool of connections. A connection goes back to the pool only if no transaction is open on it and it answers.

use super::waiting::{PATIENCE, repeated, waiting};
use super::{Connection, Fault, Result, migrations};
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio_postgres::NoTls;
use tokio_postgres::config::TargetSessionAttrs;

const CONNECTIONS: usize = 16;

/// What the database ends by itself: statements that last, waiting for locks, and transactions and connections of a server that vanished.
const LIMITS: &str = "-c statement_timeout=12s -c lock_timeout=8s \
    -c idle_in_transaction_session_timeout=30s -c tcp_keepalives_idle=30 -c tcp_user_timeout=30s";

/// Work that failed so soon did not wait for a database that is silent, but had a connection that was closed.
const SOON: Duration = Duration::from_secs(1);

/// Two servers that start at once migrate one after the other.
const LOCK: i64 = 7_416_530_518;

pub(super) struct Postgres {
    pool: Pool,
}

/// A connection of the pool, for as long as work has it.
struct Held {
    object: Option<Object>,
    /// Whether the next work can use it.
    is_clean: bool,
}

impl Held {
    fn client(&self) -> &Object {
        self.object.as_ref().expect("it is held until it is dropped")
    }

    /// Notes whether it can be used again after this.
    fn after<T>(&mut self, done: &Result<T>) {
        self.is_clean = !matches!(done, Err(Fault::Gone(_)));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.is_clean {
            // It is closed instead.
            self.object.take().map(Object::take);
        }
    }
}

impl Postgres {
    pub(super) fn new(url: &str) -> Result<Self> {
        let mut config: tokio_postgres::Config = url.parse()?;
        config.connect_timeout(PATIENCE).keepalives_idle(Duration::from_secs(30));
        config.tcp_user_timeout(Duration::from_secs(30));
        // After a failover, the address may lead to a database that only reads.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let options = format!("{LIMITS} {}", config.get_options().unwrap_or_default());
        config.options(options).application_name("harness-server");
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(config, NoTls, recycling))
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .build()
            .map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(Self { pool })
    }

    async fn held(&self) -> Result<Held> {
        Ok(Held { object: Some(self.pool.get().await?), is_clean: false })
    }

    /// Closes the connections that wait in the pool: the database was started again, so they are all dead.
    fn forget_idle(&self) {
        self.pool.retain(|_, _| false);
    }

    pub(super) async fn migrate(&self, to: Option<i32>) -> Result<()> {
        // It is closed at the end, so the lock ends in any case.
        let mut held = self.held().await?;
        let client = held.object.as_mut().expect("it is held until it is dropped");
        client.batch_execute("set statement_timeout = 0; set lock_timeout = 0").await?;
        client.execute("select pg_advisory_lock($1)", &[&LOCK]).await?;
        let done = migrations::runner(to, |sql| {
            sql.replace("KEY", "bigint generated always as identity primary key")
                .replace("BYTES", "bytea")
        })?
        .run_async(&mut ***client)
        .await;
        done.map(|_| ()).map_err(|error| migrations::fault(&error))
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.run(move |held, on, _| work(&mut Connection::postgres(held.client(), on))).await
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let transaction = move |held: &Held, on: &Handle, has_begun: &mut bool| {
            repeated(|| transaction(held, on, has_begun, &mut work))
        };
        self.run(transaction).await
    }

    /// Runs work on a connection. If that was lost before a transaction began, nothing was done yet, and it runs once more on a new one.
    async fn run<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Held, &Handle, &mut bool) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let began = Instant::now();
        let mut is_last = false;
        loop {
            let (mut held, on) = (self.held().await?, Handle::current());
            let (done, has_begun, back) = waiting(move || {
                let mut has_begun = false;
                let done = work(&held, &on, &mut has_begun);
                held.after(&done);
                Ok((done, has_begun, work))
            })
            .await?;
            work = back;
            match done {
                Err(Fault::Gone(_)) if !has_begun && !is_last && began.elapsed() < SOON => {
                    self.forget_idle();
                    is_last = true;
                }
                done => return done,
            }
        }
    }

    pub(super) async fn snapshot<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        // It is closed at the end, and the transaction with it.
        let held = self.held().await?;
        let on = Handle::current();
        let begin = "set statement_timeout = 0; begin isolation level repeatable read read only";
        held.client().batch_execute(begin).await?;
        waiting(move || work(&mut Connection::postgres(held.client(), &on))).await
    }
}

fn transaction<T>(
    held: &Held,
    on: &Handle,
    has_begun: &mut bool,
    work: &mut impl FnMut(&mut Connection<'_>) -> Result<T>,
) -> Result<T> {
    let mut connection = Connection::postgres(held.client(), on);
    connection.control("begin isolation level read committed")?;
    *has_begun = true;
    match work(&mut connection) {
        Ok(done) => connection.control("commit").map(|()| done),
        // A transaction that cannot be ended ends with its connection.
        Err(fault) => match connection.control("rollback") {
            Err(Fault::Gone(reason)) => Err(Fault::Gone(reason)),
            _ => Err(fault),
        },
    }
}
