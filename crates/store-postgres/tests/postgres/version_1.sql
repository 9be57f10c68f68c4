-- Two drawings of version 1 with their lists and their log, as that version stored them. The first one had an idempotency
-- key. The third commitment is open.

INSERT INTO users (id, phone_number, referral_code, landing_page, bonus_entries, created_at) OVERRIDING SYSTEM VALUE
VALUES
    (1, '+15550000001', '373QVVNH', 'fresh-sips', 5, '2025-08-01 12:00:00+00'),
    (2, '+15550000002', 'JNVV6KQ3', 'fresh-sips', 0, '2025-08-01 12:00:00+00'),
    (3, '+15550000003', 'XMJ7GVN3', 'fresh-sips', 0, '2025-08-01 12:00:00+00'),
    (4, '+15550000004', 'FYR369XX', 'fresh-sips', 0, '2025-08-01 12:00:00+00'),
    (5, '+15550000005', 'J4XMJP3V', 'fresh-sips', 0, '2025-08-01 12:00:00+00'),
    (6, '+15550000006', 'FVKR3TX3', 'fresh-sips', 0, '2025-08-01 12:00:00+00'),
    (7, '+15550000010', 'MNYTRTPF', 'fresh-sips', 1, '2025-08-01 12:00:00+00'),
    (8, '+15550000011', 'PWMJ3K7F', 'fresh-sips', 0, '2025-08-01 12:00:00+00');

INSERT INTO entry_ledger (user_id, kind, delta, cause_id, created_at)
VALUES
    (1, 'base', 1, 1, '2025-08-01 12:00:00+00'),
    (2, 'base', 1, 2, '2025-08-01 12:00:00+00'),
    (1, 'referral', 1, 2, '2025-08-01 12:00:00+00'),
    (3, 'base', 1, 3, '2025-08-01 12:00:00+00'),
    (1, 'referral', 1, 3, '2025-08-01 12:00:00+00'),
    (4, 'base', 1, 4, '2025-08-01 12:00:00+00'),
    (1, 'referral', 1, 4, '2025-08-01 12:00:00+00'),
    (5, 'base', 1, 5, '2025-08-01 12:00:00+00'),
    (1, 'referral', 1, 5, '2025-08-01 12:00:00+00'),
    (6, 'base', 1, 6, '2025-08-01 12:00:00+00'),
    (1, 'referral', 1, 6, '2025-08-01 12:00:00+00'),
    (7, 'base', 1, 7, '2025-08-01 12:00:00+00'),
    (8, 'base', 1, 8, '2025-08-01 12:00:00+00'),
    (7, 'referral', 1, 8, '2025-08-01 12:00:00+00');

INSERT INTO drawing_commitments (id, landing_page, number, commitment, sealed, source, created_at) OVERRIDING SYSTEM VALUE
VALUES
    (1, 'fresh-sips', 1, '9396b11b7c54c823ffc7cdb41ba7369333e8fa517575a520fd07777342b715d3', '\x6f776e64726177696e672073656564206f662066726573682d736970739f78432ddfc8b63ad18e72a463df99f84215001ba6aa8f551ba98747568824fa8e0bb7534fcf4f12ac7458fb8092fe529ce56ea0bb68edb63b5f6ccb168aad93', 'os', '2025-08-01 12:00:00+00'),
    (2, 'fresh-sips', 2, '85d200fc478f02e89e137518eb71b4395aa02b7e91c344838587989a2bd2b06a', '\x6f776e64726177696e672073656564206f662066726573682d73697073abfc81fc91823264e3d5296dc2537d26b89da8786e91d853ca1eb1cbf7ce431b2cf8ccb495646e17340d11bb581b17d3180d67443ccd0bdd8d0f6107eab8de26', 'os', '2025-08-01 12:00:00+00'),
    (3, 'fresh-sips', 3, 'afcf6a7ee56724e876c4e7fb5c8fea3369d1967a1a58e71e7b580ef964d4611d', '\x6f776e64726177696e672073656564206f662066726573682d73697073817c6c50f886a7e38b4db94ed009b81a83a47248234b5f06b078633c69b4eaca559776009a6d862aad04921e29fde5bd72eff7017c2dc9c14b3928b325a937a7', 'os', '2025-08-01 12:00:00+00');

INSERT INTO drawing_results (id, landing_page, winner_id, winner_phone_number, winner_index, total_participants,
                             total_entries, winning_entry_number, drawing_method, commitment_id, merkle_root,
                             random_seed, salt_key, verification_hash, idempotency_key, admin_session_id, created_at)
VALUES
    (1, 'fresh-sips', 2, '+15550000002', 1, 6, 11, 7, 'random', 1, '1e5a4732ad05fa19472430b173921c8975e4046a772ffd64c7670105ff9601b1', '9f78432ddfc8b63ad18e72a463df99f84215001ba6aa8f551ba98747568824fa', '\x8e0bb7534fcf4f12ac7458fb8092fe529ce56ea0bb68edb63b5f6ccb168aad93', 'aa38cbe5ccdfc7f26fc3356711a159d72bb0ad9a9f7c8b62874f987732c4fac0', 'november', 7, '2025-08-01 12:00:00+00'),
    (2, 'fresh-sips', 6, '+15550000006', 5, 8, 14, 11, 'random', 2, '17a2278dda0be4608949f9ecb212e4ce680c7cffde1c6ddd1de986646b31d74e', 'abfc81fc91823264e3d5296dc2537d26b89da8786e91d853ca1eb1cbf7ce431b', '\x2cf8ccb495646e17340d11bb581b17d3180d67443ccd0bdd8d0f6107eab8de26', '0ebc48d1accd4a092cec22606804f69bd663b25997fbb106a532c8f942bb3834', NULL, 7, '2025-08-01 12:00:00+00');

INSERT INTO drawing_chunks (drawing_id, number, first_entry, first_user_id, root, packed)
VALUES
    (1, 0, 1, 1, '\x1e5a4732ad05fa19472430b173921c8975e4046a772ffd64c7670105ff9601b1', '\x000601010101010101010101'),
    (2, 0, 1, 1, '\x17a2278dda0be4608949f9ecb212e4ce680c7cffde1c6ddd1de986646b31d74e', '\x00060101010101010101010101020101');

INSERT INTO drawing_audit_logs (id, drawing_id, action, details, random_seed, participant_count, verification_hash,
                                admin_session_id, "timestamp", previous_hash, hash)
VALUES
    (1, NULL, 'commitment_opened', '{"landingPage":"fresh-sips","commitment":"9396b11b7c54c823ffc7cdb41ba7369333e8fa517575a520fd07777342b715d3","seedSource":"os"}', NULL, NULL, NULL, NULL, '2025-08-01 12:00:00+00', '0000000000000000000000000000000000000000000000000000000000000000', '7ddcdf547cb9f827a33de61300f91c6c4d956ff999b6d9f967cf6045dbb404af'),
    (2, 1, 'drawing_performed', '{"landingPage":"fresh-sips","root":"1e5a4732ad05fa19472430b173921c8975e4046a772ffd64c7670105ff9601b1","totalEntries":11,"winningEntryNumber":7}', '9f78432ddfc8b63ad18e72a463df99f84215001ba6aa8f551ba98747568824fa', 6, 'aa38cbe5ccdfc7f26fc3356711a159d72bb0ad9a9f7c8b62874f987732c4fac0', 7, '2025-08-01 12:00:00+00', '7ddcdf547cb9f827a33de61300f91c6c4d956ff999b6d9f967cf6045dbb404af', '8839c95210993d90c0b1287253d2322983ac18ee494eb94842a752895eb0c228'),
    (3, NULL, 'commitment_opened', '{"landingPage":"fresh-sips","commitment":"85d200fc478f02e89e137518eb71b4395aa02b7e91c344838587989a2bd2b06a","seedSource":"os"}', NULL, NULL, NULL, NULL, '2025-08-01 12:00:00+00', '8839c95210993d90c0b1287253d2322983ac18ee494eb94842a752895eb0c228', '01c7c8a46b784a2b436a8edb0d56e61d9cd2cc61ff1b025de449d9f9a99252f0'),
    (4, 2, 'drawing_performed', '{"landingPage":"fresh-sips","root":"17a2278dda0be4608949f9ecb212e4ce680c7cffde1c6ddd1de986646b31d74e","totalEntries":14,"winningEntryNumber":11}', 'abfc81fc91823264e3d5296dc2537d26b89da8786e91d853ca1eb1cbf7ce431b', 8, '0ebc48d1accd4a092cec22606804f69bd663b25997fbb106a532c8f942bb3834', 7, '2025-08-01 12:00:00+00', '01c7c8a46b784a2b436a8edb0d56e61d9cd2cc61ff1b025de449d9f9a99252f0', 'c40b32cfeccbae16a13aafef45099b4cbfc8dedf893a44671c323a896d5203ba'),
    (5, NULL, 'commitment_opened', '{"landingPage":"fresh-sips","commitment":"afcf6a7ee56724e876c4e7fb5c8fea3369d1967a1a58e71e7b580ef964d4611d","seedSource":"os"}', NULL, NULL, NULL, NULL, '2025-08-01 12:00:00+00', 'c40b32cfeccbae16a13aafef45099b4cbfc8dedf893a44671c323a896d5203ba', '2a057288c55c127900a1e1fc16340accad646cd3ce4d47136d7297f26403f9f2');

SELECT setval('users_id_seq', 8), setval('drawing_commitments_id_seq', 3), setval('drawing_numbers', 2);
