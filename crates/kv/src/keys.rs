//! Every key this crate uses. The parts between braces are hash tags: keys that one script touches share one.

use std::net::IpAddr;
use std::sync::Arc;

use domain::{AddressBlock, Contact, Month, NoteId, ShopTypeId, UserId};
use jiff::civil::Date;

use crate::sessions::SessionHash;

/// A day as keys spell it: `20261115`.
const COMPACT_DAY: &str = "%Y%m%d";

/// Builds keys behind the site's prefix, so that tests and several sites can share a server.
#[derive(Clone, Debug)]
pub struct Keys {
    prefix: Arc<str>,
}

/// The keys of one contact's login, all under the hash tag of where its messages go.
#[derive(Debug)]
pub(crate) struct LoginKeys {
    /// Hash: the outstanding codes, hashed, each with its expiry and the caller that requested it. Lives as long as the newest is valid.
    pub(crate) codes: String,
    /// Hash: wrong tries of every caller that was sent a code, and of all others together, each with their end.
    pub(crate) tries: String,
    /// Hash: tries of the password, by devices that signed in before, by the user's own sessions, and of all others together,
    /// by ten minutes and by day, each with their end.
    pub(crate) password_tries: String,
    /// There while another code may not be sent yet.
    pub(crate) sent: String,
    /// The same for devices that signed in before.
    pub(crate) sent_known: String,
    /// Hash: codes sent today, in all, to unknown devices and by network; ends at the site's midnight.
    pub(crate) quota: String,
    /// Hash: devices that signed in before, by when they last did. Lives for half a year after that.
    pub(crate) devices: String,
}

/// The keys of one shop type's geo index, under one hash tag.
#[derive(Debug)]
pub(crate) struct GeoKeys {
    /// Geo: shops by position.
    pub(crate) index: String,
    /// String: there while the index is loaded; holds the fence of who wrote last.
    pub(crate) ready: String,
}

/// The keys of the ranking of notes, under one hash tag.
#[derive(Debug)]
pub(crate) struct HotNotesKeys {
    /// Sorted set: notes by likes, with a mark that it is loaded.
    pub(crate) ranking: String,
    /// Hash: the revision by which a note was ranked last, for notes that are in the ranking and have changed.
    pub(crate) revisions: String,
    /// String: there while the ranking is being loaded; holds the fence of the loader.
    pub(crate) loading: String,
    /// Hash: what changed since the load began, as revision and likes.
    pub(crate) changes: String,
}

/// The keys of what is loaded from SQL for one person, under one hash tag.
#[derive(Debug)]
pub(crate) struct ViewKeys {
    pub(crate) view: String,
    /// String: there while it is being loaded; holds the number of the load.
    pub(crate) loading: String,
}

impl Keys {
    pub fn new(prefix: &str) -> Self {
        Self {
            prefix: prefix.into(),
        }
    }

    pub(crate) fn login(&self, contact: &Contact) -> LoginKeys {
        // A name may begin with a brace, which would end the hash tag before it has begun.
        let place = contact.destination().replace('}', "%7D");
        let key = |what| format!("{}login:{{{place}}}:{what}", self.prefix);
        LoginKeys {
            codes: key("codes"),
            tries: key("callers"),
            password_tries: key("passwords"),
            sent: key("sent"),
            sent_known: key("sent-known"),
            quota: key("quota"),
            devices: key("devices"),
        }
    }

    /// String: one session ([`crate::session_record`]). Sliding lifetime with an absolute cap.
    pub(crate) fn session(&self, hash: &SessionHash) -> String {
        format!("{}{}", self.session_prefix(), hash.to_hex())
    }

    /// What the key of every session begins with.
    pub(crate) fn session_prefix(&self) -> String {
        format!("{}login:session:", self.prefix)
    }

    /// Set of the session hashes of one person; may name sessions that have expired. Not `login:user:<id>`: a process that
    /// keeps sessions in their former form takes those of this form for dead, and would remove them from a set it shares.
    pub(crate) fn sessions_of(&self, user: UserId) -> String {
        format!("{}login:sessions:{user}", self.prefix)
    }

    /// String: what a ticket is good for. Lives for some minutes, and ends when it is used.
    pub(crate) fn ticket(&self, hash: &str) -> String {
        format!("{}login:ticket:{hash}", self.prefix)
    }

    /// String: the theoretical arrival time of a GCRA limit, in microseconds.
    pub(crate) fn limit(&self, what: &str, who: &str) -> String {
        format!("{}limit:{what}:{who}", self.prefix)
    }

    /// As [`Keys::limit`], in the hash slot of what else concerns the person.
    pub(crate) fn user_limit(&self, what: &str, user: UserId) -> String {
        format!("{}limit:{what}:{{{user}}}", self.prefix)
    }

    /// As [`Keys::limit`], for one network of an address. Those of one address share a hash tag.
    pub(crate) fn address_limit(&self, what: &str, address: IpAddr, of: AddressBlock) -> String {
        let widest = AddressBlock::widest(address);
        format!("{}limit:{what}:{{{widest}}}:{of}", self.prefix)
    }

    /// HyperLogLog: who saw a page on a day. Lives for 90 days after the last one, as the next two do.
    pub(crate) fn uv(&self, page: &str, day: Date) -> String {
        format!("{}uv:{page}:{}", self.prefix, day.strftime(COMPACT_DAY))
    }

    /// Counter: how often a page was seen on a day.
    pub(crate) fn pv(&self, page: &str, day: Date) -> String {
        format!("{}pv:{page}:{}", self.prefix, day.strftime(COMPACT_DAY))
    }

    /// Set: the pages seen on a day.
    pub(crate) fn visited_pages(&self, day: Date) -> String {
        format!("{}visits:pages:{}", self.prefix, day.strftime(COMPACT_DAY))
    }

    /// String: what visitors of a day are hashed with. Lives for two days.
    pub(crate) fn visit_salt(&self, day: Date) -> String {
        format!("{}visits:salt:{}", self.prefix, day.strftime(COMPACT_DAY))
    }

    /// Hash: the days that SQL does not have in full, each with a mark that rises when something is counted.
    pub(crate) fn visit_days(&self) -> String {
        format!("{}visits:days", self.prefix)
    }

    /// Sorted set: what was searched for on a day, by how often. Those of all days share a hash tag. Lives for four days.
    pub(crate) fn searched_words(&self, day: Date) -> String {
        format!(
            "{}search:{{words}}:{}",
            self.prefix,
            day.strftime(COMPACT_DAY)
        )
    }

    /// Bitmap: the days of a month on which a person checked in. Lives for 13 months.
    pub(crate) fn check_ins(&self, user: UserId, month: Month) -> String {
        format!("{}sign:{user}:{month}", self.prefix)
    }

    /// Hash: a request with an idempotency key: its fingerprint, its current owner, the reply. Lives for a day.
    pub(crate) fn request(&self, user: UserId, name_hash: &str) -> String {
        format!("{}request:{user}:{name_hash}", self.prefix)
    }

    /// Hash: a trade of the sandbox with its version. Lives for a month.
    pub(crate) fn sandbox_trade(&self, number: &str) -> String {
        format!("{}sandbox:trade:{number}", self.prefix)
    }

    /// Channel: the users that have new notices.
    pub(crate) fn notice_signals(&self) -> String {
        format!("{}notices", self.prefix)
    }

    /// Channel: the outbox has new rows.
    pub(crate) fn outbox_signals(&self) -> String {
        format!("{}outbox", self.prefix)
    }

    /// Sorted set: who likes a note, by the moment, with a mark that it is loaded. Lives for a week.
    pub(crate) fn note_likes(&self, note: NoteId) -> String {
        format!("{}blog:liked:{{{note}}}", self.prefix)
    }

    /// Sorted set: likes that are being loaded by the holder of this fence.
    pub(crate) fn next_note_likes(&self, note: NoteId, fence: u64) -> String {
        format!("{}:next:{fence}", self.note_likes(note))
    }

    /// Hash: which notes a person likes, of those they saw, with an epoch. Lives for an hour, and for a minute after a toggle.
    pub(crate) fn own_likes(&self, user: UserId) -> String {
        format!("{}blog:likes-of:{{{user}}}", self.prefix)
    }

    pub(crate) fn hot_notes(&self) -> HotNotesKeys {
        let ranking = format!("{}blog:{{hot}}", self.prefix);
        HotNotesKeys {
            revisions: format!("{ranking}:revisions"),
            loading: format!("{ranking}:loading"),
            changes: format!("{ranking}:changes"),
            ranking,
        }
    }

    /// Set: whom a person follows, with a mark that it is loaded. Lives for a day.
    pub(crate) fn follows(&self, user: UserId) -> ViewKeys {
        ViewKeys::of(format!("{}follows:{{{user}}}", self.prefix))
    }

    /// Sorted set: a person's inbox, notes by the moment of publishing, with marks. Lives for three days.
    pub(crate) fn feed(&self, reader: UserId) -> ViewKeys {
        ViewKeys::of(format!("{}feed:{{{reader}}}", self.prefix))
    }

    /// Set: whose notes are not pushed into inboxes.
    pub(crate) fn unpushed_authors(&self) -> String {
        format!("{}feed:unpushed", self.prefix)
    }

    pub(crate) fn geo(&self, type_id: ShopTypeId) -> GeoKeys {
        let index = format!("{}shop:geo:{{{type_id}}}", self.prefix);
        GeoKeys {
            ready: format!("{index}:ready"),
            index,
        }
    }
}

impl ViewKeys {
    fn of(view: String) -> Self {
        Self {
            loading: format!("{view}:loading"),
            view,
        }
    }
}

impl GeoKeys {
    /// Geo: an index that is being loaded by the holder of this fence.
    pub(crate) fn next(&self, fence: u64) -> String {
        format!("{}:next:{fence}", self.index)
    }
}

impl HotNotesKeys {
    /// Sorted set: a ranking that is being loaded by the holder of this fence.
    pub(crate) fn next(&self, fence: u64) -> String {
        format!("{}:next:{fence}", self.ranking)
    }

    /// Hash: the revisions that go with [`Self::next`].
    pub(crate) fn next_revisions(&self, fence: u64) -> String {
        format!("{}:next-revisions:{fence}", self.ranking)
    }

    /// String: the revision by which this note was removed from the ranking, for a while. Not `:gone:`, under which a former
    /// version keeps fencing tokens, which are higher than any revision.
    pub(crate) fn revision_of_gone(&self, member: &str) -> String {
        format!("{}:gone-revision:{member}", self.ranking)
    }
}
