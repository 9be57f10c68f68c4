import { WITHOUT_A_CLOCK } from '../../../../shared/lib/nextDrawing';
import { formatPhone } from '../../../../shared/lib/phone';
import type { Figures } from '../../../lib/early';
import { inFigures } from '../inFigures';
import { isOwn } from '../../../lib/isOwn';
import { hasShareSheet, smsSeparator } from '../share';
import { CODE, FIGURES, HOST, ORIGIN, PHONE } from './placeholders';

/**
 * Makes the built page what React would make of it with these figures. The build rendered the same components with
 * placeholders into a template, so that React finds nothing to change. The inline boot script uses this, before React.
 */
export function fillPage({ user, stats }: Figures, dateOfDrawing: string) {
  const parts = document.querySelector('template')!.content;
  const figures = Object.values(inFigures(stats));
  const values: [string, string][] = [
    ...Object.values(inFigures(FIGURES)).map((name, i): [string, string] => [name, figures[i]!]),
    [PHONE, formatPhone(user.phoneNumber)],
    [CODE, user.referralCode],
    [ORIGIN, location.origin],
    [HOST, `${location.host}/`], // what is left: the link without its scheme
    [WITHOUT_A_CLOCK, dateOfDrawing],
    ['sms:?', `sms:${smsSeparator(navigator.userAgent)}`],
  ];

  if (!isOwn(user, user.id)) parts.querySelector('.own')!.remove();
  if (!hasShareSheet()) parts.querySelector('.channels button')!.remove();
  for (const element of parts.querySelectorAll('*')) {
    for (const node of [...element.attributes, ...element.childNodes]) {
      for (const [name, value] of values) {
        node.nodeValue &&= node.nodeValue
          .replaceAll(name, value)
          .replaceAll(encodeURIComponent(name), encodeURIComponent(value)); // in a link's message
      }
    }
  }
  for (const part of parts.children) become(document.querySelector(`.${part.className}`)!, part);
}

/** Changes only what differs, so that what is equal does not move, fade in or lose the focus again. */
function become(now: Element, next: Element) {
  if (now.isEqualNode(next) || next.className === 'scene') return;
  if (now.nodeName !== next.nodeName || !now.attributes) return now.replaceWith(next);
  for (const { name, value } of next.attributes) now.setAttribute(name, value);
  const before = [...now.childNodes] as Element[];
  const after = [...next.childNodes] as Element[];
  after.forEach((child, index) => {
    const old = before[index];
    if (old) become(old, child);
    else now.append(child);
  });
  before.slice(after.length).forEach((child) => child.remove());
}
