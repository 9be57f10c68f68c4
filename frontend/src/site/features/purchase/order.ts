import type { Package } from './api';

/** A purchase for which the provider waits to be paid. */
export interface Order {
  pack: Package;
  paymentIntentId: string;
  clientSecret: string;
  publishableKey: string;
}
