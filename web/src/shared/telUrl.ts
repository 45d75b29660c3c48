// A link that dials a number. People group its digits in their own ways, and not every phone dials those.
export function telUrl(phone: string): string {
  return `tel:${phone.replace(/(?!^\+)\D/g, "")}`;
}
