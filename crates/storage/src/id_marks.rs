//! High-water marks of Redis counters: `tb_id_mark`. A counter lost in Redis restarts above its mark, so no value is
//! issued twice. Marks never fall.

use sea_orm::{ConnectionTrait, Value};

use crate::sql::{Merge, execute, statement, upsert};
use crate::{Db, Error};

/// The highest value that may have been issued under this name.
pub async fn get(db: &Db, name: &str) -> Result<Option<i64>, Error> {
    let sql = "SELECT mark FROM tb_id_mark WHERE name = ?";
    let statement = statement(db.reader(), sql, [Value::from(name)]);
    let read = async {
        let row = db.reader().query_one_raw(statement).await?;
        row.map(|row| row.try_get("", "mark")).transpose()
    };
    db.run("read id mark", read).await
}

/// Raises the mark to at least `to`.
pub async fn raise(db: &Db, name: &str, to: i64) -> Result<(), Error> {
    let tail = upsert(db.backend(), "name", &[("mark", Merge::Max)]);
    let sql = format!("INSERT INTO tb_id_mark (name, mark) VALUES (?, ?) {tail}");
    let values: [Value; 2] = [name.into(), to.into()];
    db.run("raise id mark", execute(db.writer(), sql, values))
        .await?;
    Ok(())
}
