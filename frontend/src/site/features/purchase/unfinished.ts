import { PURCHASE_KEY } from '../../lib/early';

/** A purchase that may be paid, and that the server has not confirmed to us yet. */
export interface Unfinished {
  paymentIntentId: string;
  userId: number;
  packageId: number;
}

/** How the provider sends people back who had to leave the page to pay. */
interface Returned {
  purchase: Unfinished;
  failed: boolean;
}

/** Goes with them and comes back: they may return to a tab that remembers nothing. */
const PACKAGE = 'package';
const INTENT = 'payment_intent';
const STATUS = 'redirect_status';
const SECRET = 'payment_intent_client_secret';

export function remember(purchase: Unfinished): void {
  try {
    sessionStorage.setItem(PURCHASE_KEY, JSON.stringify(purchase));
  } catch {
    // The provider tells the server all the same.
  }
}

export function recall(userId: number): Unfinished | undefined {
  try {
    const purchase = JSON.parse(
      sessionStorage.getItem(PURCHASE_KEY) ?? 'null',
    ) as Unfinished | null;
    return purchase?.userId === userId ? purchase : undefined;
  } catch {
    return undefined;
  }
}

export function forget(): void {
  try {
    sessionStorage.removeItem(PURCHASE_KEY);
  } catch {
    // Then nothing was remembered.
  }
}

export function returnUrl(packageId: number): string {
  return `${location.origin}${location.pathname}?${PACKAGE}=${packageId}`;
}

export function hasUnfinished(userId: number): boolean {
  return new URLSearchParams(location.search).has(INTENT) || recall(userId) !== undefined;
}

/** Reads what the provider put into the address, and takes it off: it holds the payment's secret. */
export function takeReturned(userId: number): Returned | undefined {
  const query = new URLSearchParams(location.search);
  const paymentIntentId = query.get(INTENT);
  const packageId = Number(query.get(PACKAGE));
  if (!paymentIntentId || !packageId) return undefined;
  const failed = query.get(STATUS) === 'failed';
  for (const name of [PACKAGE, INTENT, STATUS, SECRET]) query.delete(name);
  const rest = query.size > 0 ? `?${query}` : '';
  history.replaceState(history.state, '', location.pathname + rest + location.hash);
  return { purchase: { paymentIntentId, userId, packageId }, failed };
}
