// What the sites of the soak and of the faults have in common: accounts at the providers, and what is set up in the console.
import { call, signIn } from '../bench/server.mjs';

const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+15005550006' };
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_lab', STRIPE_PUBLISHABLE_KEY: 'pk_test_lab', STRIPE_WEBHOOK_SECRET: 'whsec_lab' };
/** Only a sign-up for this raffle gets a welcome text, because at most 60 are sent in a minute. */
export const TEXTED_PAGE = 'fresh-sips';
const OFFER = { name: 'Ten', description: 'Ten more', entries: 10, price: 500, isActive: true };

/** The arguments of the stand-ins for a site at `origin`. */
export const standInArguments = (origin) => ({
  stripe: ['--webhook-url', `${origin}/api/stripe/webhook`, '--webhook-secret', STRIPE.STRIPE_WEBHOOK_SECRET],
  twilio: ['--inbound-url', `${origin}/api/twilio/inbound`, '--account-sid', TWILIO.TWILIO_ACCOUNT_SID, '--auth-token', TWILIO.TWILIO_AUTH_TOKEN],
});

/** The settings of a server of a site, beside its database: where it is, where its metrics and the providers are, and its pace. */
export const siteSettings = ({ origin, metrics, stripe, twilio, textsPerSecond }) => ({
  PUBLIC_ORIGIN: origin,
  TRUSTED_PROXIES: '127.0.0.1',
  METRICS_ADDR: `127.0.0.1:${metrics}`,
  SMS_MAX_PER_SECOND: String(textsPerSecond),
  ...TWILIO,
  TWILIO_API_BASE: twilio,
  ...STRIPE,
  STRIPE_API_BASE: stripe,
});

/** Welcome texts for these raffles, of which one is sent, a template, and a package to buy. Returns the session and both. */
export async function setUp(server, pages) {
  const token = await signIn(server);
  for (const landingPage of pages) {
    await call(server, '/api/admin/welcome-sms', { token, body: { landingPage, messageTemplate: 'Welcome' } });
    if (landingPage !== TEXTED_PAGE) await call(server, `/api/admin/welcome-sms/${landingPage}`, { token, method: 'PATCH', body: { isActive: false } });
  }
  const template = await call(server, '/api/admin/sms/templates', { token, body: { name: 'Lab', landingPage: 'garden-bag', messageTemplate: 'See {LINK}' } });
  const offer = await call(server, '/api/admin/entry-packages', { token, body: OFFER });
  await call(server, '/api/admin/settings', { token, body: { showPricing: true } });
  return { token, template, offer };
}

/** Starts a campaign to `count` new numbers, which begin with +1917 and this number of seven digits. Returns them. */
export async function startCampaign(server, { token, template }, { name, from, count }) {
  const numbers = Array.from({ length: count }, (_, n) => `+1917${from + n}`);
  const body = { templateId: template.id, campaignName: name, targetAudience: 'custom', customPhoneNumbers: numbers, startNow: true };
  await call(server, '/api/admin/sms/campaigns/schedule', { token, body, headers: { 'Idempotency-Key': name } });
  return numbers;
}
