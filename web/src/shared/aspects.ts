// What is rated of a shop beside its stars, and the words for it by the kind of the shop: food has a taste, a haircut an effect.

/** As the API names them, in the order in which they are shown. */
export const ASPECTS = ["main", "surroundings", "service"] as const;
export type Aspect = (typeof ASPECTS)[number];

/** From one to five; null or absent is not rated. */
export type Ratings = Partial<Record<Aspect, number | null>>;

/** The ids of the types where one eats and drinks, food and bars: the original's, which every site has. */
const PLACES_TO_EAT: ReadonlySet<number> = new Set([1, 8]);

function servesFood(typeId: number): boolean {
  return PLACES_TO_EAT.has(typeId);
}

/** The key of the aspect's name. */
export function aspectKey(aspect: Aspect, typeId: number): string {
  const word = aspect !== "main" ? aspect : servesFood(typeId) ? "taste" : "effect";
  return `shop.rating.${word}`;
}

/** The key of the name for what people recommend. */
export function dishesKey(typeId: number): string {
  return `shop.dishes.${servesFood(typeId) ? "food" : "other"}`;
}
