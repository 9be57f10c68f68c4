/** On a phone a row of links or tabs is wider than the screen. Scrolls the row only, never the page. */
export function center(row: HTMLElement | null, selector: string) {
  const open = row?.querySelector<HTMLElement>(selector);
  if (!row || !open) return;
  const start = open.offsetLeft - row.offsetLeft;
  row.scrollLeft = start - (row.clientWidth - open.offsetWidth) / 2;
}
