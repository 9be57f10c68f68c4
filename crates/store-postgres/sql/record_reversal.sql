-- Records a refund or a dispute of a payment. What is recorded only grows, so that the order of events does not matter.
WITH input AS (
    SELECT $1::text AS id, $2::text AS stripe_payment_intent_id, $3::bigint AS refunded, $4::text AS dispute,
           $5::timestamptz AS at
)
INSERT INTO payment_reversals AS known (id, stripe_payment_intent_id, refunded, dispute, created_at, updated_at)
SELECT id, stripe_payment_intent_id, refunded, dispute, input.at, input.at FROM input
ON CONFLICT (id) DO UPDATE
SET refunded = greatest(known.refunded, excluded.refunded),
    dispute = CASE
        WHEN 'lost' IN (known.dispute, excluded.dispute) THEN 'lost'
        WHEN 'won' IN (known.dispute, excluded.dispute) THEN 'won'
        ELSE known.dispute
    END,
    updated_at = excluded.updated_at
RETURNING 1::bigint
