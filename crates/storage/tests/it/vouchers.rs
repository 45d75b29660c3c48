//! Vouchers: who may publish and change them, and what a change leaves behind.

use domain::{ShopId, UserId, VoucherId, VoucherKind, VoucherStatus};
use jiff::Timestamp;
use storage::Db;
use storage::outbox;
use storage::shops::Principal;
use storage::vouchers::{self, SaleChange, SaleChanged, VoucherRefusal};

use crate::selling::{
    OWNER, assert_stock_conserved, create_sale, draft, open_sale, orders, sale_draft, write,
};
use crate::support::{create_shop, on_both};

const PRINCIPAL: Principal = Principal::Owner(OWNER);

/// The sales that the outbox speaks of, once per row; the rows are gone afterwards.
async fn announced(db: &Db) -> Vec<VoucherId> {
    let mut sales = Vec::new();
    loop {
        let rows = outbox::list_due_all(db, 100, Timestamp::now())
            .await
            .unwrap();
        if rows.is_empty() {
            return sales;
        }
        for row in rows {
            if row.kind == SaleChanged::KIND {
                let changed: SaleChanged = serde_json::from_str(&row.payload).unwrap();
                assert_eq!(row.key, changed.key());
                sales.push(changed.voucher);
            }
            outbox::complete(db, &[row.id]).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_published_voucher_reads_back_as_it_was_said() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "103茶餐厅").await;
        let ordinary = vouchers::create(&test.db, PRINCIPAL, shop.id, &draft())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (ordinary.kind, ordinary.sale),
            (VoucherKind::Ordinary, None)
        );
        assert_eq!(ordinary.status, VoucherStatus::OnShelf);
        assert_eq!(ordinary.title, draft().title);

        let flash = create_sale(&test.db, shop.id, 100).await;
        let sale = flash.sale.unwrap();
        assert_eq!(flash.kind, VoucherKind::Flash);
        assert_eq!((sale.stock, sale.initial_stock, sale.epoch), (100, 100, 0));
        assert_eq!(sale.end_at, sale_draft(100).end_at);
        assert_eq!((sale.limit_per_user, sale.spread), (2, 1));
        assert_eq!(announced(&test.db).await, [flash.id]);

        for voucher in [&ordinary, &flash] {
            let read = vouchers::get(&test.db, voucher.id).await.unwrap();
            assert_eq!(read.as_ref(), Some(voucher));
        }
        let listed = vouchers::list_on_shelf(&test.db, shop.id).await.unwrap();
        assert_eq!(listed, [ordinary, flash]);
        let unknown = vouchers::get(&test.db, VoucherId::new(99)).await.unwrap();
        assert_eq!(unknown, None);
    })
    .await;
}

#[tokio::test]
async fn only_the_owner_and_admins_publish_and_change() {
    on_both(async |test| {
        let db = &test.db;
        let shop = create_shop(db, "103茶餐厅").await;
        let stranger = Principal::Owner(UserId::new(8));
        let refused = vouchers::create(db, stranger, shop.id, &draft()).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NotOwner));
        let refused = vouchers::create(db, Principal::Admin, ShopId::new(99), &draft()).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NoSuchShop));
        let refused = vouchers::create_sale(db, stranger, shop.id, &draft(), &sale_draft(1)).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NotOwner));

        let sale = create_sale(db, shop.id, 10).await;
        let off = VoucherStatus::OffShelf;
        let refused = vouchers::set_status(db, stranger, sale.id, off).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NotOwner));
        let refused = vouchers::change_sale(db, stranger, sale.id, &SaleChange::default()).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NotOwner));
        let refused = vouchers::set_status(db, Principal::Admin, VoucherId::new(99), off).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NoSuchVoucher));
        assert_eq!(vouchers::get(db, sale.id).await.unwrap(), Some(sale));
    })
    .await;
}

#[tokio::test]
async fn a_voucher_off_the_shelf_is_not_listed_and_its_gate_is_updated_once() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        announced(db).await;
        for _ in 0..2 {
            let voucher = vouchers::set_status(db, PRINCIPAL, id, VoucherStatus::OffShelf).await;
            let voucher = voucher.unwrap().unwrap();
            assert_eq!(voucher.status, VoucherStatus::OffShelf);
            assert_eq!(voucher.sale.unwrap().epoch, 1);
            let listed = vouchers::list_on_shelf(db, voucher.shop_id).await.unwrap();
            assert!(listed.is_empty());
        }
        assert_eq!(announced(db).await, [id]);
    })
    .await;
}

#[tokio::test]
async fn a_changed_sale_keeps_its_orders_and_raises_the_epoch() {
    on_both(async |test| {
        let db = &test.db;
        let id = open_sale(db, 10).await;
        write(db, &orders(id, 1..5)).await;
        announced(db).await;
        let pieces = |initial_stock| SaleChange {
            initial_stock: Some(initial_stock),
            ..Default::default()
        };
        for (initial, stock, epoch) in [(30, 26, 1), (5, 1, 2), (4, 0, 3)] {
            let changed = vouchers::change_sale(db, PRINCIPAL, id, &pieces(initial)).await;
            let sale = changed.unwrap().unwrap().sale.unwrap();
            assert_eq!(
                (sale.initial_stock, sale.stock, sale.epoch),
                (initial, stock, epoch)
            );
            assert_stock_conserved(&test).await;
        }
        let refused = vouchers::change_sale(db, PRINCIPAL, id, &pieces(3)).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::TooFewUnits));

        let end_at = sale_draft(1).begin_at;
        let backwards = SaleChange {
            end_at: Some(end_at),
            ..Default::default()
        };
        let refused = vouchers::change_sale(db, PRINCIPAL, id, &backwards).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::Window));
        let unchanged = vouchers::change_sale(db, PRINCIPAL, id, &SaleChange::default()).await;
        assert_eq!(unchanged.unwrap().unwrap().sale.unwrap().epoch, 3);
        assert_eq!(announced(db).await, [id; 3]);
    })
    .await;
}

#[tokio::test]
async fn an_ordinary_voucher_has_no_sale_to_change() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "103茶餐厅").await;
        let voucher = vouchers::create(&test.db, PRINCIPAL, shop.id, &draft()).await;
        let id = voucher.unwrap().unwrap().id;
        let refused = vouchers::change_sale(&test.db, PRINCIPAL, id, &SaleChange::default()).await;
        assert_eq!(refused.unwrap(), Err(VoucherRefusal::NotASale));
    })
    .await;
}
