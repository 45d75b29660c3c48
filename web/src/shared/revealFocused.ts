// For rows that scroll sideways: the browser leaves what has the focus half out of sight if the other half is seen.

export function revealFocused(event: FocusEvent): void {
  if (event.target instanceof HTMLElement) event.target.scrollIntoView({ inline: "nearest", block: "nearest" });
}
