//! What a copy of all tables needs, alike for both databases: which tables and columns there are, and the numbers that were given out.

use super::{Connection, Result, Value, migrations};

impl Connection<'_> {
    /// The tables that exist, in an order in which each refers only to those before it. Those with secrets are left out.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tables(&mut self) -> Result<Vec<&'static str>> {
        let sql = if self.is_sqlite() {
            "select name from sqlite_master where type = 'table'"
        } else {
            "select tablename::text from pg_tables where schemaname = current_schema()"
        };
        let present: Vec<_> = self.query(sql, &[])?.iter().map(|row| row.text(0)).collect();
        let mut tables = migrations::tables();
        let is_secret = |table: &str| migrations::SECRET.contains(&table);
        tables.retain(|table| present.iter().any(|it| it == table) && !is_secret(table));
        Ok(tables)
    }

    /// The version of the tables.
    ///
    /// # Errors
    /// If the database fails.
    pub fn version(&mut self) -> Result<i64> {
        let row = self.first("select max(version) from refinery_schema_history", &[])?;
        Ok(row.and_then(|row| row.maybe_int(0)).unwrap_or(0))
    }

    /// The columns of a table, in their order.
    ///
    /// # Errors
    /// If the database fails.
    pub fn columns(&mut self, table: &str) -> Result<Vec<String>> {
        let sql = if self.is_sqlite() {
            "select name from pragma_table_info($1) order by cid"
        } else {
            "select column_name::text from information_schema.columns \
             where table_schema = current_schema() and table_name = $1 order by ordinal_position"
        };
        Ok(self.query(sql, &[table.into()])?.iter().map(|row| row.text(0)).collect())
    }

    /// The last number that a table gave to a row. Rows that were removed had numbers, too. None: it gives no numbers, or gave none yet.
    ///
    /// # Errors
    /// If the database fails.
    pub fn last_number(&mut self, table: &str) -> Result<Option<i64>> {
        if !self.columns(table)?.iter().any(|column| column == "id") {
            return Ok(None);
        }
        let sql = if self.is_sqlite() {
            "select seq from sqlite_sequence where name = $1"
        } else {
            "select pg_sequence_last_value(pg_get_serial_sequence($1::text, 'id')::regclass)"
        };
        Ok(self.first(sql, &[table.into()])?.and_then(|row| row.maybe_int(0)))
    }

    /// Lets a table go on after a number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn continue_after(&mut self, table: &str, number: i64) -> Result<()> {
        if self.is_sqlite() {
            // The table of these numbers has no key.
            self.execute("delete from sqlite_sequence where name = $1", &[table.into()])?;
            let sql = "insert into sqlite_sequence (name, seq) values ($1, $2)";
            self.execute(sql, &[table.into(), number.into()])?;
        } else {
            let sql = "select setval(pg_get_serial_sequence($1::text, 'id')::regclass, $2)";
            self.query(sql, &[table.into(), number.into()])?;
        }
        Ok(())
    }

    /// Inserts whole rows, with the numbers that they have.
    ///
    /// # Errors
    /// If the database refuses one.
    pub fn insert_rows(
        &mut self,
        table: &str,
        columns: &[String],
        rows: &[Vec<Value>],
    ) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = columns.iter().map(|column| format!("\"{column}\"")).collect();
        let row = |at: usize| {
            let places =
                (1..=columns.len()).map(|place| format!("${}", at * columns.len() + place));
            format!("({})", places.collect::<Vec<_>>().join(", "))
        };
        let places: Vec<_> = (0..rows.len()).map(row).collect();
        let overriding = if self.is_sqlite() { "" } else { "overriding system value " };
        let (names, places) = (names.join(", "), places.join(", "));
        let sql = format!("insert into {table} ({names}) {overriding}values {places}");
        self.execute(&sql, &rows.concat())?;
        Ok(())
    }

    /// Allows work that lasts in this transaction.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_long(&mut self) -> Result<()> {
        if self.is_sqlite() { Ok(()) } else { self.control("set local statement_timeout = 0") }
    }
}
