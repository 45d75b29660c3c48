//! A ticket: what a step of a conversation hands out, so that the next one need not be proven again. Only its holder knows it;
//! we keep a hash, for minutes.

use crate::SessionToken;

/// As long and as random as the token of a session, and good for much less.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket(SessionToken);

impl Ticket {
    /// Builds a ticket from bytes of a cryptographic generator.
    pub fn from_random(bytes: [u8; 20]) -> Self {
        Self(SessionToken::from_random(bytes))
    }

    /// Anything that cannot be one of our tickets is `None`, so that junk never reaches Redis.
    pub fn parse(text: &str) -> Option<Self> {
        SessionToken::parse(text).map(Self)
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_read_back_and_never_shown() {
        let ticket = Ticket::from_random([0xab; 20]);
        assert_eq!(Ticket::parse(ticket.as_str()), Some(ticket.clone()));
        assert_eq!(Ticket::parse("no ticket"), None);
        assert!(!format!("{ticket:?}").contains("abab"), "{ticket:?}");
    }
}
