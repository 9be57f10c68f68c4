/** PHONE_VERIFICATION (D37), which the server writes into every page: whether a number is proved by a code. */
export function needsCodes(): boolean {
  if (typeof document === 'undefined') return false; // prerendered pages do not know
  const meta = document.querySelector<HTMLMetaElement>('meta[name="phone-verification"]');
  return meta?.content === 'on';
}
