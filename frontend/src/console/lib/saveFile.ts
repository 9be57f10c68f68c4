/** Hands a text to the browser as a download. The mark in front tells spreadsheets that it is UTF-8. */
export function saveFile(name: string, text: string, type = 'text/csv'): void {
  const content = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
  const address = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // Safari reads it after the click
}
