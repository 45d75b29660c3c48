//! The words in which `tables.rs` describes the schema, and their spelling in the two dialects of SQL.
//!
//! What one database enforces the other enforces too: SQLite tables are STRICT and check the length of texts, as MySQL's
//! strict mode does.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    MySql,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [Column],
    pub(super) primary: &'static [&'static str],
    pub(super) keys: &'static [TableKey],
    pub(super) check: Option<Check>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: ColumnType,
    pub(super) is_nullable: bool,
    pub(super) default: Default,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    /// 64 bits, chosen by the database when not given; never used twice.
    AutoId,
    Big,
    Int,
    Small,
    Double,
    /// For people: compared without regard to case on MySQL. At most so many characters.
    Text(u16),
    /// For machines: compared byte by byte on both databases. At most so many characters.
    Token(u16),
    /// Up to 16 MB.
    LongText,
    /// In UTC, to the millisecond.
    Instant,
    Date,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Default {
    None,
    /// A literal that both dialects read.
    Literal(&'static str),
    Now,
}

#[derive(Debug)]
pub(super) struct TableKey {
    /// Unique in the whole database, because SQLite wants that.
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) is_unique: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) condition: &'static str,
}

pub(super) const fn column(name: &'static str, kind: ColumnType) -> Column {
    Column {
        name,
        kind,
        is_nullable: false,
        default: Default::None,
    }
}

impl Column {
    pub(super) const fn nullable(mut self) -> Self {
        self.is_nullable = true;
        self
    }

    pub(super) const fn or(mut self, literal: &'static str) -> Self {
        self.default = Default::Literal(literal);
        self
    }

    pub(super) const fn or_now(mut self) -> Self {
        self.default = Default::Now;
        self
    }

    /// The same column, empty in every row until it is filled.
    pub(super) const fn empty(mut self) -> Self {
        self.default = Default::None;
        self.nullable()
    }

    /// The column as `CREATE TABLE` spells it.
    pub(super) fn definition(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Sqlite => self.sqlite_definition(),
            Dialect::MySql => self.mysql_definition(&self.kind.mysql_type()),
        }
    }

    /// As [`Column::definition`], with a type that is already there and holds more than ours.
    pub(super) fn mysql_definition(&self, sql_type: &str) -> String {
        let name = quoted(self.name);
        let collation = match self.kind {
            ColumnType::Token(_) => " COLLATE utf8mb4_bin",
            _ => "",
        };
        let null = if self.is_nullable { "NULL" } else { "NOT NULL" };
        let default = match self.default {
            // MySQL gives the TEXT types no default.
            Default::Literal(_) if sql_type.ends_with("text") => String::new(),
            Default::Literal(literal) => format!(" DEFAULT {literal}"),
            Default::Now => " DEFAULT CURRENT_TIMESTAMP(3)".to_owned(),
            Default::None => String::new(),
        };
        let auto = match self.kind {
            ColumnType::AutoId => " AUTO_INCREMENT",
            _ => "",
        };
        format!("{name} {sql_type}{collation} {null}{default}{auto}")
    }

    fn sqlite_definition(&self) -> String {
        let name = quoted(self.name);
        if self.kind == ColumnType::AutoId {
            return format!("{name} INTEGER PRIMARY KEY AUTOINCREMENT");
        }
        let sql_type = self.kind.sqlite_type();
        let null = if self.is_nullable { "" } else { " NOT NULL" };
        let default = match self.default {
            Default::Literal(literal) => format!(" DEFAULT {literal}"),
            // The form in which the driver writes instants, so that they compare as text.
            Default::Now => " DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))".to_owned(),
            Default::None => String::new(),
        };
        let length = match self.kind {
            ColumnType::Text(chars) | ColumnType::Token(chars) => {
                format!(" CHECK (length({name}) <= {chars})")
            }
            _ => String::new(),
        };
        format!("{name} {sql_type}{null}{default}{length}")
    }
}

impl ColumnType {
    pub(super) fn mysql_type(self) -> String {
        match self {
            Self::AutoId | Self::Big => "bigint".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Small => "smallint".to_owned(),
            Self::Double => "double".to_owned(),
            Self::Text(chars) | Self::Token(chars) => format!("varchar({chars})"),
            Self::LongText => "mediumtext".to_owned(),
            Self::Instant => "datetime(3)".to_owned(),
            Self::Date => "date".to_owned(),
        }
    }

    fn sqlite_type(self) -> &'static str {
        match self {
            Self::AutoId | Self::Big | Self::Int | Self::Small => "INTEGER",
            Self::Double => "REAL",
            Self::Text(_) | Self::Token(_) | Self::LongText | Self::Instant | Self::Date => "TEXT",
        }
    }
}

impl Table {
    /// The statements that make the table with its keys.
    pub(super) fn create(&self, dialect: Dialect) -> Vec<String> {
        match dialect {
            Dialect::Sqlite => self.create_sqlite(),
            Dialect::MySql => vec![self.create_mysql()],
        }
    }

    fn create_mysql(&self) -> String {
        let mut parts = self.definitions(Dialect::MySql);
        parts.push(self.primary_key());
        parts.extend(self.keys.iter().map(TableKey::mysql_definition));
        parts.extend(self.check.map(|check| check.definition()));
        format!(
            "CREATE TABLE {} ({}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci",
            quoted(self.name),
            parts.join(", ")
        )
    }

    fn create_sqlite(&self) -> Vec<String> {
        let mut parts = self.definitions(Dialect::Sqlite);
        let is_auto = self
            .columns
            .iter()
            .any(|column| column.kind == ColumnType::AutoId);
        if !is_auto {
            parts.push(self.primary_key());
        }
        parts.extend(self.check.map(|check| check.definition()));
        let table = quoted(self.name);
        let create = format!("CREATE TABLE {table} ({}) STRICT", parts.join(", "));
        let indexes = self.keys.iter().map(|key| {
            let unique = if key.is_unique { "UNIQUE " } else { "" };
            let columns = quoted_list(key.columns);
            format!("CREATE {unique}INDEX {} ON {table} ({columns})", key.name)
        });
        std::iter::once(create).chain(indexes).collect()
    }

    fn definitions(&self, dialect: Dialect) -> Vec<String> {
        let define = |column: &Column| column.definition(dialect);
        self.columns.iter().map(define).collect()
    }

    pub(super) fn primary_key(&self) -> String {
        format!("PRIMARY KEY ({})", quoted_list(self.primary))
    }
}

impl TableKey {
    pub(super) fn mysql_definition(&self) -> String {
        let unique = if self.is_unique { "UNIQUE " } else { "" };
        format!("{unique}KEY {} ({})", self.name, quoted_list(self.columns))
    }
}

impl Check {
    pub(super) fn definition(&self) -> String {
        format!("CONSTRAINT {} CHECK ({})", self.name, self.condition)
    }
}

/// Backticks are MySQL's quotes and understood by SQLite; `key`, `date` and `year` need them.
pub(super) fn quoted(name: &str) -> String {
    format!("`{name}`")
}

pub(super) fn quoted_list(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| quoted(name))
        .collect::<Vec<_>>()
        .join(", ")
}
