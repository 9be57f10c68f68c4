import type { MouseEvent } from 'react';

/** Types for somebody: where the cursor is in an input of the button's form, or in the place of what is selected. */
export function insertInto(event: MouseEvent<HTMLButtonElement>, name: string, text: string) {
  const area = event.currentTarget.form?.elements.namedItem(name);
  if (!(area instanceof HTMLTextAreaElement)) return;
  area.focus();
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true })); // as typing does
}
