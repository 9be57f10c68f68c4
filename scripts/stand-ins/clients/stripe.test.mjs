// Stripe's own client against our stand-in for Stripe: see test.sh.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Stripe from 'stripe';
import { startStandIn } from './kit.mjs';

const SECRET = 'whsec_of_this_test';
const RETURN = { return_url: 'https://tombola.example/back' };
const ORDER = { amount: 500, currency: 'usd', automatic_payment_methods: { enabled: true }, metadata: { purchaseId: '7' } };

let standIn, origin, control, stripe;

before(async () => {
  standIn = await startStandIn('stripe-stand-in', (hooks) => ['--webhook-url', `${hooks}/hook`, '--webhook-secret', SECRET]);
  ({ origin, control } = standIn);
  const { hostname, port } = new URL(origin);
  stripe = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
});
after(() => standIn.stop());

/** The event of this kind about this object, once it has arrived. */
const event = (kind, id) =>
  standIn.call((arrived) => {
    const events = arrived.map(({ body, headers }) => stripe.webhooks.constructEvent(body, headers['stripe-signature'], SECRET));
    return events.find(({ type, data }) => type === kind && [data.object.id, data.object.payment_intent].includes(id));
  });

const confirm = (intent, payment_method) => stripe.paymentIntents.confirm(intent.id, { payment_method, ...RETURN });

test('a payment is created, looked at and paid, and an event tells of it', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  assert.equal(intent.status, 'requires_payment_method');
  assert.deepEqual({ ...(await stripe.paymentIntents.retrieve(intent.id)).metadata }, ORDER.metadata);

  const paid = await confirm(intent, 'pm_card_visa');
  assert.equal(paid.status, 'succeeded');
  const told = await event('payment_intent.succeeded', intent.id);
  assert.equal(told.data.object.amount_received, 500);
  const seen = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  assert.equal(seen.latest_charge.paid, true);
});

test('one idempotency key is one payment, and not for anything else', async () => {
  const options = { idempotencyKey: 'purchase-1' };
  const first = await stripe.paymentIntents.create(ORDER, options);
  const again = await stripe.paymentIntents.create(ORDER, options);
  assert.equal(again.id, first.id);
  assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true');
  await assert.rejects(stripe.paymentIntents.create({ ...ORDER, amount: 600 }, options), Stripe.errors.StripeIdempotencyError);
});

test('a card may be declined before another one is not', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  await assert.rejects(confirm(intent, 'pm_card_chargeDeclined'), (error) => {
    assert.ok(error instanceof Stripe.errors.StripeCardError);
    assert.equal(error.code, 'card_declined');
    return error.payment_intent.status === 'requires_payment_method';
  });
  assert.equal((await event('payment_intent.payment_failed', intent.id)).data.object.last_payment_error.code, 'card_declined');
  assert.equal((await confirm(intent, 'pm_card_visa')).status, 'succeeded');
});

test('a step at the bank can be taken', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  const waiting = await confirm(intent, 'pm_card_threeDSecure2Required');
  assert.equal(waiting.status, 'requires_action');
  assert.equal(waiting.next_action.type, 'use_stripe_sdk');
  const done = await control(`intents/${intent.id}/complete-action`, { outcome: 'succeed' });
  assert.equal(done.status, 'succeeded');
});

test('a payment can be given up until it is made', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
  assert.equal(canceled.status, 'canceled');
  await event('payment_intent.canceled', intent.id);
  await assert.rejects(confirm(intent, 'pm_card_visa'), { code: 'payment_intent_unexpected_state' });
});

test('a payment is paid back once', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  await confirm(intent, 'pm_card_visa');
  const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 200, reason: 'requested_by_customer' });
  assert.equal(part.status, 'succeeded');
  assert.equal((await event('charge.refunded', intent.id)).data.object.refunded, false);
  assert.equal((await stripe.refunds.create({ payment_intent: intent.id })).amount, 300);
  await assert.rejects(stripe.refunds.create({ payment_intent: intent.id }), { code: 'charge_already_refunded' });
});

test('a dispute can be lost', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  await confirm(intent, 'pm_card_visa');
  await control(`intents/${intent.id}/dispute`, { outcome: 'lost' });
  assert.equal((await event('charge.dispute.closed', intent.id)).data.object.status, 'lost');
});

test('what Stripe would refuse, the stand-in refuses', async () => {
  await assert.rejects(stripe.paymentIntents.create({ ...ORDER, amount: 1 }), { code: 'amount_too_small' });
  await assert.rejects(stripe.paymentIntents.retrieve('pi_0'), { code: 'resource_missing', statusCode: 404 });
  const stranger = new Stripe('pk_test_1', { host: '127.0.0.1', port: new URL(origin).port, protocol: 'http', maxNetworkRetries: 0 });
  await assert.rejects(stranger.paymentIntents.create(ORDER), Stripe.errors.StripeAuthenticationError);
});

test('an event that was changed, or signed by somebody else, is not accepted', async () => {
  const intent = await stripe.paymentIntents.create(ORDER);
  await confirm(intent, 'pm_card_visa');
  const { id } = await event('payment_intent.succeeded', intent.id);
  const { body, signature } = await control(`events/${id}/signed`);
  assert.equal(stripe.webhooks.constructEvent(body, signature, SECRET).id, id);
  const refused = Stripe.errors.StripeSignatureVerificationError;
  assert.throws(() => stripe.webhooks.constructEvent(body.replace('500', '501'), signature, SECRET), refused);
  assert.throws(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other'), refused);
});
