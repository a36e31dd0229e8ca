//! PostgreSQL: a pool of connections.

use super::{Connection, Fault, Result, migrations};
use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_postgres::NoTls;

const CONNECTIONS: usize = 16;

/// How long a request waits for a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// Two servers that start at once migrate one after the other.
const LOCK: i64 = 7_416_530_518;

pub(super) struct Postgres {
    pool: Pool,
}

impl Postgres {
    pub(super) fn new(url: &str) -> Result<Self> {
        let mut config: tokio_postgres::Config = url.parse()?;
        config.connect_timeout(PATIENCE).keepalives_idle(Duration::from_secs(30));
        config.tcp_user_timeout(Duration::from_secs(30));
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

    pub(super) async fn migrate(&self) -> Result<()> {
        let mut client = self.pool.get().await?;
        client.execute("select pg_advisory_lock($1)", &[&LOCK]).await?;
        let done = migrations::runner(|sql| {
            sql.replace("KEY", "bigint generated always as identity primary key")
                .replace("BYTES", "bytea")
        })?
        .run_async(&mut **client)
        .await;
        client.execute("select pg_advisory_unlock($1)", &[&LOCK]).await?;
        done.map(|_| ()).map_err(|error| migrations::fault(&error))
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let client = self.pool.get().await?;
        let on = Handle::current();
        waiting(move || work(&mut Connection::postgres(&client, &on))).await
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut Connection<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let client = self.pool.get().await?;
        let on = Handle::current();
        waiting(move || {
            loop {
                match transaction(&client, &on, &mut work) {
                    Err(Fault::Busy(_)) => {}
                    done => return done,
                }
            }
        })
        .await
    }
}

fn transaction<T>(
    client: &deadpool_postgres::ClientWrapper,
    on: &Handle,
    work: &mut impl FnMut(&mut Connection<'_>) -> Result<T>,
) -> Result<T> {
    on.block_on(client.batch_execute("begin isolation level read committed"))?;
    let done = work(&mut Connection::postgres(client, on));
    match done {
        Ok(it) => Ok(on.block_on(client.batch_execute("commit")).map(|()| it)?),
        Err(fault) => {
            // A connection that is gone has no transaction any more.
            let _ = on.block_on(client.batch_execute("rollback"));
            Err(fault)
        }
    }
}

/// Runs what may wait on a thread of its own.
async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Fault::Broken(error.to_string())))
}
