// What a buyer needs at the counter besides the code: the voucher's rules, and the shop with its address. They are read
// beside the order, which outlives both: a voucher or a shop that is gone leaves its part out, and nothing breaks.
import { isTransient } from "@/shared/idempotencyKeys";
import type { Order } from "./api";

export interface ShopDetails {
  name: string;
  address: string;
  /** Longitude and latitude in degrees. */
  x: number;
  y: number;
  openHours?: string | undefined;
  phone?: string | undefined;
}

export interface VoucherDetails {
  rules?: string | undefined;
  shop?: ShopDetails | undefined;
  /** False while a part could not be read for want of a reply. */
  isComplete: boolean;
}

/** The features that know vouchers and shops, given by the page. */
export interface DetailSources {
  getOffer: (voucherId: number) => Promise<{ rules?: string | undefined }>;
  getShop: (shopId: number) => Promise<ShopDetails | undefined>;
}

export const NO_DETAILS: VoucherDetails = { isComplete: false };

/** A part that cannot be read stays as it was known: the rules that were bought outlive a voucher taken off the shelf. */
export async function loadDetails(order: Order, sources: DetailSources, known: VoucherDetails): Promise<VoucherDetails> {
  const [offer, shop] = await Promise.allSettled([sources.getOffer(order.voucherId), sources.getShop(order.shopId)]);
  const failures = [offer, shop].filter((part) => part.status === "rejected");
  return {
    rules: offer.status === "fulfilled" ? offer.value.rules : known.rules,
    shop: shop.status === "fulfilled" && shop.value !== undefined ? pick(shop.value) : known.shop,
    isComplete: !failures.some(({ reason }) => isTransient(reason)),
  };
}

/** Without what a list of shops needs: what is kept in the browser stays small. */
function pick({ name, address, x, y, openHours, phone }: ShopDetails): ShopDetails {
  return { name, address, x, y, openHours, phone };
}
