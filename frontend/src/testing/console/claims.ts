import type { ClaimDetailView, ClaimRowView } from '../../console/api/admin';
import { adminCall } from './handlers';

export const aClaim = (changes: Partial<ClaimRowView> = {}): ClaimRowView => ({
  id: 5,
  drawingId: 7,
  landingPage: 'garden-bag',
  prize: { name: 'Garden Bag Essentials', value: '$99' },
  rank: 0,
  status: 'submitted',
  entrantId: 12,
  phoneNumber: '+15551234567',
  createdAt: '2026-11-20T15:00:00Z',
  expiresAt: null,
  notificationsSent: 1,
  lastNotificationAt: '2026-11-20T15:00:00Z',
  needsCall: false,
  paused: false,
  calls: 0,
  ...changes,
});

export const aClaimFile = (changes: Partial<ClaimDetailView> = {}): ClaimDetailView => ({
  ...aClaim(),
  verifiedAt: '2026-11-20T16:00:00Z',
  verificationMethod: 'code',
  noteCalls: [],
  numberMatches: true,
  mayBeUnreachable: false,
  submittedAt: '2026-11-20T16:05:00Z',
  decidedAt: null,
  shipment: null,
  deliveredAt: null,
  rejection: null,
  details: {
    name: 'Ada Lovelace',
    addressLine1: '12 Example Street',
    addressLine2: null,
    city: 'Springfield',
    state: 'IL',
    postalCode: '62701',
    publicity: true,
  },
  detailsErasedAt: null,
  publicName: 'Ada, IL',
  callCode: null,
  ...changes,
});

/** The list; a function is asked each time. */
export const claimsAre = (rows: ClaimRowView[], waiting = 0) =>
  adminCall('get', 'claims', (request) => {
    const status = new URL(request.url).searchParams.get('status');
    const claims = rows.filter((row) => !status || row.status === status);
    return { claims, total: claims.length, waiting };
  });

export const claimIs = (claim: () => ClaimDetailView) => adminCall('get', 'claims/5', claim);
