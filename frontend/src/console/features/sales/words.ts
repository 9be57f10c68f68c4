import type { PurchaseStateView } from '../../api/admin';

export const stateNames: Record<PurchaseStateView, string> = {
  paid: 'Paid',
  partly_refunded: 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  waiting: 'Not paid yet',
  canceled: 'Never paid',
};

/** `November 2026` for the month `2026-11`. */
export const monthInWords = (month: string): string =>
  new Date(`${month}-01T12:00Z`).toLocaleString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  });

export const packageInWords = (name: string | null): string => name ?? 'A deleted package';
