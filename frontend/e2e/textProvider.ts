import { startStandIn } from './standIn';

/** An account that the stand-in takes, as environment of a server. */
export const textKeys = {
  TWILIO_ACCOUNT_SID: `AC${'0123456789abcdef'.repeat(2)}`,
  TWILIO_AUTH_TOKEN: 'fedcba9876543210'.repeat(2),
  TWILIO_PHONE_NUMBER: '+12125550100',
};

/** The stand-in for the provider of texts: crates/testing/stand-ins/src/twilio. */
export const startTextProvider = () =>
  startStandIn<object>(process.env.TWILIO_STAND_IN_BIN ?? '../target/debug/twilio-stand-in');
