import type { ApiError } from '../../shared/api/apiError';

export const COOKIES_BLOCKED =
  'Your browser blocks cookies, which we need to know that the code is yours. Please allow cookies for this site and try again.';

const blocked: ApiError = { status: 'cookies', message: 'cookies', sentence: COOKIES_BLOCKED };

/** Sets a cookie, reads it back, and takes it away: it is there for no request. */
export function takesCookies(): boolean {
  const test = 'cookie_test=1';
  const attributes = `SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
  try {
    document.cookie = `${test}; Max-Age=60; ${attributes}`;
    const isKept = document.cookie.includes(test);
    document.cookie = `${test}; Max-Age=0; ${attributes}`;
    return isKept;
  } catch {
    return false; // a frame without an origin, for one
  }
}

/** A code counts only together with the cookie that came with it. Throws an ApiError. */
export function requireCookies() {
  if (!takesCookies()) throw blocked as unknown;
}
