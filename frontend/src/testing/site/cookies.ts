import { vi } from 'vitest';

/** What a page says in a browser that takes no cookies. */
export const COOKIES_BLOCKED =
  'Your browser blocks cookies, which we need to know that the code is yours. Please allow cookies for this site and try again.';

/** A browser that takes no cookies, as its settings can tell it. Ends with the test. */
export const blockCookies = () =>
  vi.spyOn(Document.prototype, 'cookie', 'set').mockImplementation(() => undefined);
