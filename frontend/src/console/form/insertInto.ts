import type { MouseEvent } from 'react';

/** Inserts a text at the cursor of an input in the button's form, or in place of the selection. */
export function insertInto(event: MouseEvent<HTMLButtonElement>, name: string, text: string) {
  const area = event.currentTarget.form?.elements.namedItem(name);
  if (!(area instanceof HTMLTextAreaElement)) return;
  area.focus();
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true })); // as typing does
}
