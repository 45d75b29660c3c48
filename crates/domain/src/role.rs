//! Roles.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Each role may do all that the ones before it may. Being signed in at all is `User`;
/// a merchant's rights over a shop also need ownership of that shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    User = 0,
    Merchant = 1,
    Admin = 2,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown role {0:?}: expected user, merchant or admin")]
pub struct UnknownRole(String);

impl Role {
    pub const ALL: [Self; 3] = [Self::User, Self::Merchant, Self::Admin];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Merchant => "merchant",
            Self::Admin => "admin",
        }
    }

    /// The roles that this one implies, weakest first: `roles` on the wire.
    pub fn implied(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |role| *role <= self)
    }

    /// The number in `tb_user.role`.
    pub const fn code(self) -> i16 {
        self as i16
    }

    /// Unknown numbers mean no privilege: a newer version's role never becomes an admin here.
    pub const fn from_code(code: i16) -> Self {
        match code {
            1 => Self::Merchant,
            2 => Self::Admin,
            _ => Self::User,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_admin_holds_every_role_and_a_user_only_one() {
        assert_eq!(Role::Admin.implied().count(), 3);
        assert_eq!(Role::User.implied().collect::<Vec<_>>(), [Role::User]);
    }

    #[test]
    fn codes_and_names_round_trip() {
        for role in Role::ALL {
            assert_eq!(Role::from_code(role.code()), role);
            assert_eq!(role.as_str().parse(), Ok(role));
        }
    }

    #[test]
    fn an_unknown_code_carries_no_privilege() {
        assert_eq!(Role::from_code(9), Role::User);
        assert_eq!(Role::from_code(-1), Role::User);
        assert!("root".parse::<Role>().is_err());
    }
}
