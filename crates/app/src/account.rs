//! Accounts: login and logout, passwords, sessions, profiles, roles and blocks, the export of personal data, deletion.

mod access;
mod confirmation;
mod contacts;
mod deletion;
mod device;
mod erasure;
mod export;
mod login;
mod number_claim;
mod password;
mod password_hasher;
mod profile;
mod sessions;
mod ticket;

pub(crate) use access::apply_change;
pub use access::{block, find, find_by_contact, grant_role, sign_out_everywhere, unblock};
pub use confirmation::{ConfirmationSent, send_confirmation};
pub(crate) use contacts::apply_contact_change;
pub use contacts::{
    ContactPermit, attach_contact, get_contacts, permit_contact_change, remove_contact, set_contact,
};
pub use deletion::{DeletionOutlook, get_deletion, keep_account, request_deletion};
pub(crate) use erasure::apply_erasure;
pub use erasure::{ErasureReport, erase_due};
pub use export::export_personal_data;
pub(crate) use login::session_profile;
pub use login::{CodeSent, SignedIn, login, send_code};
pub use number_claim::{NumberClaim, NumberQuestion, SecondProof, answer_number_question};
pub(crate) use password::apply_password_change;
pub use password::{PasswordProof, has_password, login_by_password, remove_password, set_password};
pub(crate) use password_hasher::PasswordHasher;
pub use profile::{Card, get_card, get_user, update_profile};
pub use sessions::{
    SessionView, find_session, list_sessions, logout, session_end, sign_out_session,
};
