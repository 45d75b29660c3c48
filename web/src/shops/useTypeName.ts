// The name of a shop type in the language of the page. The server has one name for each, in Chinese; those of the
// original are translated here, and a name that an operator gave is shown as it is.
import { useI18n } from "vue-i18n";

const KEYS: ReadonlyMap<string, string> = new Map([
  ["美食", "food"],
  ["KTV", "karaoke"],
  ["丽人·美发", "hair"],
  ["美睫·美甲", "nails"],
  ["按摩·足疗", "massage"],
  ["美容SPA", "spa"],
  ["亲子游乐", "family"],
  ["酒吧", "bars"],
  ["轰趴馆", "parties"],
  ["健身运动", "fitness"],
]);

export function useTypeName(): (stored: string) => string {
  const { t } = useI18n();
  return (stored) => {
    const key = KEYS.get(stored);
    return key === undefined ? stored : t(`shop.type.${key}`);
  };
}
