// Spreads cards of different heights over columns. Invariant: an item stays in its column when more are added, so
// an infinite list never moves the items on the screen.
export function spread<T>(items: readonly T[], columns: number, heightOf: (item: T) => number): T[][] {
  const spreadOut: { items: T[]; height: number }[] = Array.from({ length: columns }, () => ({ items: [], height: 0 }));
  for (const item of items) {
    const lowest = spreadOut.reduce((best, column) => (column.height < best.height ? column : best));
    lowest.items.push(item);
    lowest.height += heightOf(item);
  }
  return spreadOut.map((column) => column.items);
}
