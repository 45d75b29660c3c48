//! Accounts: signing in and out, who I am, where I am signed in, what others see of me, what I may do.

mod device;
mod login;
mod profile;
mod sessions;
mod standing;

pub(crate) use login::session_profile;
pub use login::{CodeSent, SignedIn, login, send_code};
pub use profile::{Card, get_card, get_user, update_profile};
pub use sessions::{
    SessionView, find_session, list_sessions, logout, session_end, sign_out_session,
};
pub(crate) use standing::follow_change;
pub use standing::{block, find_by_contact, grant_role, sign_out_everywhere, unblock};
