//! Classifies failed statements.
//!
//! The invariant: an error that is not listed is an outage. The caller retries after an outage, which is right for a
//! full disk, a failover, a killed query and everything unforeseen; it gives up rejected rows. Only error codes about
//! the rows themselves are listed as rejections.

use sea_orm::sqlx;
use sea_orm::{DbErr, RuntimeErr};

/// What a caller can do about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The database rejects these values: a constraint, a length, a range. A retry fails again.
    Rejected,
    /// SQL that the database does not understand, or a reply that we do not: a bug or a schema of another version.
    Defect,
    /// The database answers and cannot store anything.
    CannotWrite(WriteFault),
    /// Everything else: retry later.
    Outage,
}

/// Why a database that answers cannot store anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteFault {
    DiskFull,
    ReadOnly,
    /// Reading or writing a file failed.
    Io,
}

impl WriteFault {
    /// For logs and for `/readyz`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DiskFull => "the disk is full",
            Self::ReadOnly => "the database is read-only",
            Self::Io => "its files cannot be read or written",
        }
    }
}

impl std::fmt::Display for WriteFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(crate) fn class_of(error: &DbErr) -> Class {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => class_of_driver(error),
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) | DbErr::Exec(_) | DbErr::Query(_) => {
            Class::Outage
        }
        // What is left is our own code and the ORM's: a value or a row that cannot be read.
        _ => Class::Defect,
    }
}

fn class_of_driver(error: &sqlx::Error) -> Class {
    match error {
        sqlx::Error::Database(error) => {
            if let Some(mysql) = error.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>() {
                class_of_mysql(mysql.number())
            } else {
                let code = error.code().and_then(|code| code.parse().ok());
                code.map_or(Class::Outage, class_of_sqlite)
            }
        }
        sqlx::Error::RowNotFound
        | sqlx::Error::InvalidArgument(_)
        | sqlx::Error::TypeNotFound { .. }
        | sqlx::Error::ColumnIndexOutOfBounds { .. }
        | sqlx::Error::ColumnNotFound(_)
        | sqlx::Error::ColumnDecode { .. }
        | sqlx::Error::Encode(_)
        | sqlx::Error::Decode(_) => Class::Defect,
        _ => Class::Outage,
    }
}

/// By the primary code, which is the low byte of an extended one.
fn class_of_sqlite(extended: i32) -> Class {
    match extended & 0xff {
        // TOOBIG, CONSTRAINT, MISMATCH
        18..=20 => Class::Rejected,
        // ERROR (SQL that makes no sense, a missing table), MISUSE, AUTH, RANGE
        1 | 21 | 23 | 25 => Class::Defect,
        // READONLY
        8 => Class::CannotWrite(WriteFault::ReadOnly),
        // IOERR, CANTOPEN
        10 | 14 => Class::CannotWrite(WriteFault::Io),
        // FULL
        13 => Class::CannotWrite(WriteFault::DiskFull),
        // PERM, ABORT, BUSY, LOCKED, NOMEM, INTERRUPT, CORRUPT, PROTOCOL, SCHEMA, NOLFS, NOTADB, and what is to come
        _ => Class::Outage,
    }
}

fn class_of_mysql(number: u16) -> Class {
    if MYSQL_REJECTIONS.contains(&number) {
        Class::Rejected
    } else if MYSQL_DEFECTS.contains(&number) {
        Class::Defect
    } else {
        match number {
            // The disk, a table or the tablespace is full, of the server and of its file layer (EE_DISK_FULL).
            20 | 1021 | 1114 => Class::CannotWrite(WriteFault::DiskFull),
            // --read-only or --super-read-only, in read-only mode, a read-only transaction: a demoted primary.
            1290 | 1792 | 1836 => Class::CannotWrite(WriteFault::ReadOnly),
            // The file layer or the storage engine failed (EE_WRITE, ER_ERROR_ON_WRITE, ER_GET_ERRNO, ER_IO_WRITE_ERROR).
            3 | 1026 | 1030 | 1811 => Class::CannotWrite(WriteFault::Io),
            // Too many connections (1040), aborting or killed (1053, 1317, 1927), lock wait and deadlock (1205, 1213),
            // statement time (1969, 3024), a Galera node that is not ready (1047), TiDB's own (8xxx, 9xxx), and the rest.
            _ => Class::Outage,
        }
    }
}

/// Keys: 1022, 1062, 1169, 1557, 1586, 1859. Foreign keys: 1216, 1217, 1451, 1452, 1761, 1762. Nulls and defaults: 1048,
/// 1263, 1364. Values: 1264, 1265, 1292, 1300, 1365, 1366, 1367, 1406, 1411, 1416, 1441, 1525, 1690, 3140, 3819 (check), 4025
/// (MariaDB's check). Size of a row and of what was sent: 1118, 1153.
const MYSQL_REJECTIONS: [u16; 33] = [
    1022, 1048, 1062, 1118, 1153, 1169, 1216, 1217, 1263, 1264, 1265, 1292, 1300, 1364, 1365, 1366,
    1367, 1406, 1411, 1416, 1441, 1451, 1452, 1525, 1557, 1586, 1690, 1761, 1762, 1859, 3140, 3819,
    4025,
];

/// Unknown column (1054), table (1051, 1109, 1146), function (1305), variable (1193); ambiguous (1052), not unique (1066),
/// syntax (1064, 1065, 1149), column counts (1058, 1136, 1222), arguments (1210, 1243, 1390).
const MYSQL_DEFECTS: [u16; 17] = [
    1051, 1052, 1054, 1058, 1064, 1065, 1066, 1109, 1136, 1146, 1149, 1193, 1210, 1222, 1243, 1305,
    1390,
];

#[cfg(test)]
mod tests {
    use super::{Class, WriteFault, class_of_mysql, class_of_sqlite};

    #[test]
    fn what_is_not_known_is_an_outage() {
        let known = |class: Class| class != Class::Outage;
        // BUSY with its extended codes, LOCKED, NOMEM, INTERRUPT, CORRUPT, PROTOCOL, SCHEMA, NOTADB, a code of the future.
        for code in [5, 261, 517, 773, 6, 262, 7, 9, 11, 15, 17, 26, 99] {
            assert!(!known(class_of_sqlite(code)), "SQLite {code}");
        }
        let mysql = [
            1040, 1047, 1053, 1105, 1180, 1203, 1205, 1213, 1317, 1927, 1969, 3024, 8002, 8022,
            8028, 9001, 9002, 9005, 9007, 65000,
        ];
        for number in mysql {
            assert!(!known(class_of_mysql(number)), "MySQL {number}");
        }
    }

    #[test]
    fn a_database_that_cannot_store_is_no_rows_fault() {
        let full = Class::CannotWrite(WriteFault::DiskFull);
        assert_eq!(class_of_sqlite(13), full);
        assert_eq!(class_of_mysql(1021), full);
        assert_eq!(class_of_mysql(1114), full);
        let read_only = Class::CannotWrite(WriteFault::ReadOnly);
        for code in [8, 264, 520, 1032, 1288] {
            assert_eq!(class_of_sqlite(code), read_only, "SQLite {code}");
        }
        assert_eq!(class_of_mysql(1290), read_only);
        assert_eq!(class_of_mysql(1836), read_only);
        let io = Class::CannotWrite(WriteFault::Io);
        for code in [10, 266, 522, 778, 1034, 4874, 14] {
            assert_eq!(class_of_sqlite(code), io, "SQLite {code}");
        }
        assert_eq!(class_of_mysql(1030), io);
    }

    #[test]
    fn constraints_and_values_are_the_rows_own() {
        for code in [18, 19, 20, 275, 787, 1299, 1555, 2067] {
            assert_eq!(class_of_sqlite(code), Class::Rejected, "SQLite {code}");
        }
        for number in [1048, 1062, 1264, 1406, 1452, 4025] {
            assert_eq!(class_of_mysql(number), Class::Rejected, "MySQL {number}");
        }
    }

    #[test]
    fn sql_that_makes_no_sense_is_neither_an_outage_nor_a_rows_fault() {
        assert_eq!(class_of_sqlite(1), Class::Defect);
        for number in [1054, 1064, 1146] {
            assert_eq!(class_of_mysql(number), Class::Defect, "MySQL {number}");
        }
    }
}
