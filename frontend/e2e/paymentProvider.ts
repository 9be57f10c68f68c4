import { startStandIn, type StandIn } from './standIn';

/** What the payer's browser and bank do with an intent, as the provider answers it. */
interface Intent {
  status: string;
  last_payment_error?: object | null;
}
export type Answer = Intent | { error: object };

export type Provider = StandIn<Answer>;

/** The stand-in for the payment provider: crates/testing/stand-ins/src/stripe. */
export const startProvider = (webhookSecret: string): Promise<Provider> =>
  startStandIn(process.env.STRIPE_STAND_IN_BIN ?? '../target/debug/stripe-stand-in', [
    '--webhook-secret',
    webhookSecret,
  ]);
