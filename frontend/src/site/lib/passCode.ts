import { LINK_KEY } from './early';
import { recall } from './tabStorage';

/**
 * The page of a raffle that has ended leads to the open ones: with the code of the last link of a friend that this tab opened,
 * until it has entered.
 */
export function passCode() {
  const { pathname } = location;
  const link = pathname.includes('/ref/') ? pathname : recall(LINK_KEY);
  if (!link) return;
  for (const other of document.querySelectorAll<HTMLAnchorElement>('[data-takes-code]'))
    other.href += link.slice(link.indexOf('/ref/'));
}
