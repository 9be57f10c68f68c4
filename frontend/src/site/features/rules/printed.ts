/** The text of the rules as it was prerendered. It never changes, so the browser keeps it instead of downloading it twice. */
export const printedHere = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('.printed')?.innerHTML ?? '');

/**
 * What a version has after the text that is printed: the numbers of this site. Nothing if it does not begin with that
 * text, because the program may have another one already, which counts from next month.
 */
export function afterPrinted(printed: string, text: string): string | undefined {
  const words = wordsOf(printed);
  const blocks = text.trim().split(/\n{2,}/);
  let begin = '';
  for (const [index, block] of blocks.entries()) {
    begin += squeezed(block.replace(/^(#+|-) /gm, '').replace(/ \(\/\w[\w/#-]*\)/g, ''));
    if (begin === words) return blocks.slice(index + 1).join('\n\n');
  }
  return undefined;
}

/** Without what stands there to find one's way in it. */
function wordsOf(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const each of template.content.querySelectorAll('.summary, .contents')) each.remove();
  return squeezed(template.content.textContent ?? '');
}

const squeezed = (text: string): string => text.replace(/\s/g, '');
