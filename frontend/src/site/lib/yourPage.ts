/** In `crates/http/web/src/identity/visitor_tokens.rs`. */
const COOKIE = 'your_page';

/** A path of ours, whoever set the cookie. */
const WANTED = new RegExp(`(?:^|; )${COOKIE}=(/[a-z\\d-]+/success/\\d+)(?:;|$)`);

/** What a page says to an entrant in the place of the greeting for a friend's friend. */
export const ALREADY_IN = "You're already in! Share the link on your page";

/** The path of the entrant's page, in a browser that entered. Prerendered pages know none. */
export function yourPage(): string | undefined {
  try {
    return typeof document === 'undefined' ? undefined : WANTED.exec(document.cookie)?.[1];
  } catch {
    return undefined; // a frame without an origin, for one
  }
}

/** Takes the cookie away: the page that it names is no longer there. */
export function forgetYourPage() {
  document.cookie = `${COOKIE}=; Max-Age=0; Path=/`;
}

/** Writes the way back into a built page, as WayBack and SignUpPage render it. It moves nothing: its place is there. */
export function showWayBack() {
  const page = yourPage();
  if (!page) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-way-back]')) {
    link.href = page;
    link.hidden = false;
  }
  const greeting = document.querySelector('.referred');
  if (greeting) greeting.textContent = ALREADY_IN;
}
