//! Converts the structs of the crate `demo` to rows.
//!
//! Without counters: they are recomputed at the end.

use demo::{Comment, Follow, Gender, Like, Note, Person, Shop, ShopType, SoldUnit, Voucher};
use domain::{
    Aspects, Dish, NoteId, Opinion, OrderId, Phone, Role, ShopId, ShopTypeId, UserId, VoucherId,
};
use jiff::Timestamp;
use storage::bulk::{
    CommentRow, FollowRow, LikeRow, NoteRow, SeckillVoucherRow, ShopRow, ShopTypeRow, SoldSale,
    UsedOrderRow, UserInfoRow, UserRow, VoucherKind, VoucherRow, VoucherStatus,
};

pub(super) fn user(person: &Person) -> UserRow {
    let phone = Phone::parse(&person.phone).expect("numbers of demo people are mobile numbers");
    UserRow {
        id: UserId::new(person.id),
        phone: Some(phone),
        email: None,
        nick_name: person.nick_name.clone(),
        icon: person.icon.clone(),
        role: match person.role {
            demo::Role::User => Role::User,
            demo::Role::Merchant => Role::Merchant,
            demo::Role::Admin => Role::Admin,
        },
        created_at: person.joined_at,
    }
}

pub(super) fn user_info(person: &Person) -> UserInfoRow {
    UserInfoRow {
        user_id: UserId::new(person.id),
        city: person.city.to_owned(),
        introduce: Some(person.introduce.to_owned()),
        is_female: person.gender == Gender::Female,
        birthday: Some(person.birthday),
        credits: 0,
        level: 0,
        created_at: person.joined_at,
    }
}

pub(super) fn follow(follow: Follow) -> FollowRow {
    FollowRow {
        user_id: UserId::new(follow.follower_id),
        followed_id: UserId::new(follow.followed_id),
        created_at: follow.created_at,
    }
}

pub(super) fn shop_type(shop_type: ShopType, now: Timestamp) -> ShopTypeRow {
    ShopTypeRow {
        id: ShopTypeId::new(shop_type.id),
        name: shop_type.name.to_owned(),
        icon: shop_type.icon.to_owned(),
        sort: shop_type.sort,
        created_at: now,
    }
}

pub(super) fn shop(shop: Shop) -> ShopRow {
    ShopRow {
        id: ShopId::new(shop.id),
        name: shop.name,
        type_id: ShopTypeId::new(shop.type_id),
        images: shop.images.join(","),
        area: Some(shop.area.to_owned()),
        address: shop.address,
        x: shop.x,
        y: shop.y,
        avg_price_yuan: Some(i64::from(shop.avg_price_yuan)),
        score: small(shop.score),
        open_hours: Some(shop.open_hours.to_owned()),
        phone: Some(shop.phone),
        owner_id: Some(UserId::new(shop.owner_id)),
        created_at: shop.opened_at,
    }
}

pub(super) fn note(note: Note) -> NoteRow {
    let opinion = opinion(&note);
    NoteRow {
        id: NoteId::new(note.id),
        shop_id: ShopId::new(note.shop_id),
        user_id: UserId::new(note.author_id),
        title: note.title,
        images: note.images.join(","),
        content: note.content,
        score: Some(i16::from(note.score)),
        opinion,
        created_at: note.created_at,
    }
}

fn opinion(note: &Note) -> Opinion {
    let [main, surroundings, service] = note.ratings;
    let dish = |name: &&str| Dish::parse(name).expect("names of demo dishes are short");
    Opinion {
        ratings: Aspects {
            main,
            surroundings,
            service,
        },
        dishes: note.dishes.iter().map(dish).collect(),
    }
}

pub(super) fn like(like: Like) -> LikeRow {
    LikeRow {
        note_id: NoteId::new(like.note_id),
        user_id: UserId::new(like.person_id),
        created_at: like.created_at,
    }
}

pub(super) fn comment(comment: Comment) -> CommentRow {
    CommentRow {
        id: comment.id,
        user_id: UserId::new(comment.author_id),
        note_id: NoteId::new(comment.note_id),
        parent_id: comment.parent_id,
        answer_id: comment.answer_id,
        content: comment.content.to_owned(),
        created_at: comment.created_at,
    }
}

pub(super) fn voucher(voucher: &Voucher, now: Timestamp) -> VoucherRow {
    VoucherRow {
        id: VoucherId::new(voucher.id),
        shop_id: ShopId::new(voucher.shop_id),
        title: voucher.title.clone(),
        sub_title: Some(voucher.sub_title.to_owned()),
        rules: Some(voucher.rules.clone()),
        pay_value_cents: voucher.pay_value_cents,
        actual_value_cents: voucher.actual_value_cents,
        kind: match &voucher.flash_sale {
            Some(_) => VoucherKind::Flash,
            None => VoucherKind::Ordinary,
        },
        status: VoucherStatus::On,
        created_at: now,
    }
}

/// `None` for an ordinary voucher.
pub(super) fn flash_sale(voucher: &Voucher, now: Timestamp) -> Option<SoldSale> {
    let sale = voucher.flash_sale.as_ref()?;
    let voucher_id = VoucherId::new(voucher.id);
    let order = |unit: &SoldUnit| UsedOrderRow {
        id: OrderId::new(unit.order_id),
        user_id: UserId::new(unit.buyer_id),
        voucher_id,
        shop_id: ShopId::new(voucher.shop_id),
        bought_at: unit.bought_at,
        used_at: unit.used_at,
    };
    Some(SoldSale {
        sale: SeckillVoucherRow {
            voucher_id,
            stock: small(sale.stock),
            begin_at: sale.begin_at,
            end_at: sale.end_at,
            limit_per_user: small(sale.limit_per_user),
            created_at: now,
        },
        orders: sale.sold.iter().map(order).collect(),
    })
}

fn small(number: u32) -> i32 {
    i32::try_from(number).expect("scores and stocks of demo data are small")
}
