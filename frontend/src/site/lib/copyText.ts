/** Copies by the clipboard, or by selecting where the text stands, where there is none (plain http). */
export async function copyText(text: string, place: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (place instanceof HTMLTextAreaElement) place.select();
    else getSelection()?.selectAllChildren(place);
    return typeof document.execCommand === 'function' && document.execCommand('copy');
  }
}
