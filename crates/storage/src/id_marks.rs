//! High-water marks of Redis counters: `tb_id_mark`. A counter lost in Redis restarts above its mark, so no value is
//! issued twice. Marks never fall.

use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use crate::{Backend, Db, Error};

/// The highest value that may have been issued under this name.
pub async fn get(db: &Db, name: &str) -> Result<Option<i64>, Error> {
    let sql = "SELECT mark FROM tb_id_mark WHERE name = ?";
    let statement = Statement::from_sql_and_values(db.dialect(), sql, [Value::from(name)]);
    let read = async {
        let row = db.reader().query_one_raw(statement).await?;
        row.map(|row| row.try_get("", "mark")).transpose()
    };
    db.run("read id mark", read).await
}

/// Raises the mark to at least `to`.
pub async fn raise(db: &Db, name: &str, to: i64) -> Result<(), Error> {
    let tail = match db.backend() {
        Backend::Sqlite => "ON CONFLICT (name) DO UPDATE SET mark = MAX(mark, excluded.mark)",
        Backend::MySql => "ON DUPLICATE KEY UPDATE mark = GREATEST(mark, VALUES(mark))",
    };
    let sql = format!("INSERT INTO tb_id_mark (name, mark) VALUES (?, ?) {tail}");
    let values: [Value; 2] = [name.into(), to.into()];
    let statement = Statement::from_sql_and_values(db.dialect(), sql, values);
    let raise = async {
        db.writer().execute_raw(statement).await?;
        Ok::<(), DbErr>(())
    };
    db.run("raise id mark", raise).await
}
