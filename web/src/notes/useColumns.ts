// How many columns fit into an element, as it grows and shrinks.
import { onScopeDispose, ref, watch, type Ref } from "vue";

interface ColumnRules {
  /** A column is at least this wide, unless that would leave fewer than the least. */
  minWidthPx: number;
  least: number;
  most: number;
}

export function columnsIn(widthPx: number, { minWidthPx, least, most }: ColumnRules): number {
  return Math.min(most, Math.max(least, Math.floor(widthPx / minWidthPx)));
}

export function useColumns(element: Readonly<Ref<HTMLElement | null | undefined>>, rules: ColumnRules) {
  const columns = ref(rules.least);
  const observer = new ResizeObserver(([entry]) => {
    if (entry) columns.value = columnsIn(entry.contentRect.width, rules);
  });
  watch(
    element,
    (next, before) => {
      if (before) observer.unobserve(before);
      if (!next) return;
      columns.value = columnsIn(next.clientWidth, rules);
      observer.observe(next);
    },
    { flush: "post", immediate: true },
  );
  onScopeDispose(() => observer.disconnect());
  return columns;
}
