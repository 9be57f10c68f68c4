import { WITHOUT_A_CLOCK } from '../../../../shared/lib/nextDrawing';
import { formatPhone } from '../../../../shared/lib/phone';
import type { Figures } from '../../../lib/early';
import { inFigures } from '../inFigures';
import { isOwn } from '../../../lib/isOwn';
import { hasShareSheet, smsSeparator } from '../share';
import { CODE, FIGURES, ORIGIN, PHONE } from './placeholders';

/**
 * Makes the built page what React would make of it with these figures. The build rendered the same components with
 * placeholders into a template, so that React finds nothing to change. The inline boot script uses this, before React.
 */
export function fillPage({ user, stats }: Figures, dateOfDrawing: string) {
  const parts = document.querySelector('template')!.content;
  const texts: Record<string, string> = {
    [PHONE]: formatPhone(user.phoneNumber),
    [WITHOUT_A_CLOCK]: dateOfDrawing,
  };
  const values = Object.values(inFigures(stats));
  Object.values(inFigures(FIGURES)).forEach((built, index) => (texts[built] = values[index]!));
  const ofThisEntry = (text: string, encode = (part: string) => part) =>
    text
      .replaceAll(ORIGIN, encode(location.origin))
      .replaceAll(CODE, user.referralCode)
      .replaceAll(encode(WITHOUT_A_CLOCK), encode(dateOfDrawing));

  if (!isOwn(user, user.id)) parts.querySelector('.share-line')!.remove();
  if (!hasShareSheet()) parts.querySelector('.channels button')!.remove();
  for (const element of parts.querySelectorAll('*')) {
    const text = texts[element.textContent];
    if (text !== undefined) element.textContent = text;
    for (const attribute of element.attributes) {
      const isAddress = attribute.name === 'href';
      const value = forThisBrowser(attribute.value);
      attribute.value = ofThisEntry(value, isAddress ? encodeURIComponent : undefined);
    }
  }
  for (const part of parts.children) become(document.querySelector(`.${part.className}`)!, part);
}

const forThisBrowser = (href: string) =>
  href.replace('sms:?', `sms:${smsSeparator(navigator.userAgent)}`);

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
