//! Tickets: what a step of a conversation proved, for the next one. Stored under a hash, so a dump gives nobody a ticket.

use std::time::Duration;

use domain::Ticket;

use crate::codes::millis;
use crate::hash::sha256_hex;
use crate::{Error, Kv};

impl Kv {
    /// Stores what `ticket` is good for.
    pub async fn issue_ticket(
        &self,
        ticket: &Ticket,
        content: &str,
        lifetime: Duration,
    ) -> Result<(), Error> {
        let mut set = redis::cmd("SET");
        let key = self.keys.ticket(&hash(ticket));
        set.arg(key).arg(content).arg("PX").arg(millis(lifetime));
        let stored = self.link.run(&set).await;
        let _: String = stored.map_err(Error::during("store a ticket"))?;
        Ok(())
    }

    /// What the ticket is good for; `None` if there is none, or no longer.
    pub async fn read_ticket(&self, ticket: &Ticket) -> Result<Option<String>, Error> {
        let mut get = redis::cmd("GET");
        get.arg(self.keys.ticket(&hash(ticket)));
        let found = self.link.run(&get).await;
        found.map_err(Error::during("read a ticket"))
    }

    /// Ends the ticket; of any number of callers one is told `true`.
    pub async fn end_ticket(&self, ticket: &Ticket) -> Result<bool, Error> {
        let mut cmd = redis::cmd("DEL");
        cmd.arg(self.keys.ticket(&hash(ticket)));
        let ended: Result<i64, _> = self.link.run(&cmd).await;
        Ok(ended.map_err(Error::during("end a ticket"))? == 1)
    }
}

fn hash(ticket: &Ticket) -> String {
    sha256_hex(&[ticket.as_str()])
}
