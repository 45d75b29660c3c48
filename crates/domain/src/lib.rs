//! Rules and value types of Tandian: no I/O, no async, no clock.
//!
//! A value of one of these types is valid by construction, so no layer below the edge checks again. Time and
//! randomness are always arguments.

pub mod block;
pub mod check_in;
pub mod contact;
pub mod device;
pub mod favourite;
pub mod harmless;
pub mod id;
pub mod login_code;
pub mod mention;
pub mod network;
pub mod note;
pub mod open_hours;
pub mod opinion;
pub mod order;
pub mod password;
pub mod picture_host;
pub mod position;
pub mod profile;
pub mod role;
pub mod search;
pub mod session;
pub mod shop;
pub mod site_zone;
mod text;
pub mod ticket;
pub mod topic;
pub mod unfinished_note;
pub mod voucher;

pub use check_in::{DaysOfMonth, Month, Streak, streak};
pub use contact::{Contact, ContactKind, Email, InvalidEmail, InvalidPhone, Phone};
pub use device::DeviceToken;
pub use favourite::{FavouriteListId, InvalidListName, ListName};
pub use id::{CommentId, Id, NoteId, OrderId, ShopId, ShopTypeId, UserId, VoucherId};
pub use login_code::{CodeShape, GUESS_CHANCE_MAX, GuessBound, LoginCode};
pub use mention::Mention;
pub use network::{AddressBlock, NetworkTier, network_tiers};
pub use note::{CheckedNote, InvalidNote, NoteDraft, TieBreak};
pub use opinion::{Aspects, Dish, Opinion, OpinionDraft, RatingSum, Ratings};
pub use order::{OrderStatus, PayType, RedeemCode};
pub use password::{InvalidPassword, Password, PasswordHash};
pub use picture_host::{NotAPictureHost, OutsidePicture, PictureHost};
pub use position::{InvalidPosition, Position};
pub use profile::{InvalidProfile, ProfileChange, Shown, ShownChange};
pub use role::{Role, UnknownRole};
pub use search::{NameMatch, Needle};
pub use session::SessionToken;
pub use shop::{InvalidShop, ShopDraft};
pub use site_zone::{SiteZone, UnknownZone};
pub use ticket::Ticket;
pub use topic::Topic;
pub use unfinished_note::{InvalidDraft, UnfinishedNote};
pub use voucher::{InvalidVoucher, SaleDraft, VoucherDraft, VoucherKind, VoucherStatus};
