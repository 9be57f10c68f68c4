import type {
  ConsentView,
  EnteredUserView,
  OwnAppealView,
  ReferralView,
  ShareProgressView,
  StandingView,
  StatsView,
  UserView,
} from '../../site/api/generated';
import type { ClaimRejectionView, ClaimView } from '../../site/api/generatedClaims';
import type { ClaimRecordView, PublicDrawingView } from '../../site/api/generatedDrawings';
import type {
  FreeOfferView,
  OddsView,
  OfferView,
  PackageView,
} from '../../site/api/generatedPurchase';

export const aUser = (changes: Partial<UserView> = {}): UserView => ({
  id: 7,
  phoneNumber: '+15551234567',
  referralCode: 'ABCD2345',
  landingPage: 'garden-bag',
  lastDrawing: null,
  createdAt: '2025-08-04T15:00:00Z',
  ...changes,
});

export const aRegisteredUser = (changes: Partial<EnteredUserView> = {}): EnteredUserView => ({
  id: 7,
  phoneNumber: '+15551234567',
  referralCode: 'ABCD2345',
  landingPage: 'garden-bag',
  isNew: true,
  movedFrom: null,
  ...changes,
});

export const someStats = (changes: Partial<StatsView> = {}): StatsView => ({
  totalEntries: 1,
  referralCount: 0,
  baseEntries: 1,
  bonusEntries: 0,
  freeEntries: 0,
  paidEntries: 0,
  entriesOnHold: 0,
  ...changes,
});

/** Texts about raffles are off. */
export const aConsent = (changes: Partial<ConsentView> = {}): ConsentView => ({
  smsCampaigns: false,
  hasOptedOut: false,
  textsFrom: '+15550100000',
  ...changes,
});

/** Nothing is on hold, and there was no appeal. */
export const aStanding = (changes: Partial<StandingView> = {}): StandingView => ({
  onHold: false,
  why: null,
  canAppeal: false,
  appeal: null,
  drawing: null,
  ...changes,
});

/** On hold, and an appeal would be taken. */
export const aHold = (changes: Partial<StandingView> = {}): StandingView =>
  aStanding({
    onHold: true,
    why: 'Your entries are on hold because several people entered from your internet connection.',
    canAppeal: true,
    ...changes,
  });

export const anOwnAppeal = (changes: Partial<OwnAppealView> = {}): OwnAppealView => ({
  message: 'We are four people in one house.',
  status: 'open',
  createdAt: '2025-08-05T15:00:00Z',
  decidedAt: null,
  note: null,
  ...changes,
});

export const someReferrals = (count: number): ReferralView[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    referredPhoneNumber: `+1555200${String(index).padStart(4, '0')}`,
    createdAt: '2025-08-05T15:00:00Z',
  }));

export const aPackage = (changes: Partial<PackageView> = {}): PackageView => ({
  id: 3,
  name: 'Starter Pack',
  description: 'A few more tickets in the drum.',
  entries: 10,
  entryCount: 10,
  price: 500,
  priceInCents: 500,
  isPopular: false,
  isActive: true,
  sortOrder: 0,
  createdAt: '2025-08-04T15:00:00Z',
  ...changes,
});

export const anOffer = (changes: Partial<OfferView> = {}): OfferView => ({
  packages: [aPackage()],
  showPricing: true,
  publishableKey: 'pk_test_tombola',
  ...changes,
});

/** A claim that waits for its winner to prove the number. */
export const aClaim = (changes: Partial<ClaimView> = {}): ClaimView => ({
  status: 'pending',
  prize: { name: 'Garden Bag Essentials', value: '$150+' },
  landingPage: 'garden-bag',
  drawingId: 7,
  rank: 0,
  expiresAt: new Date(Date.now() + 13.5 * 86_400_000).toISOString(),
  phoneNumber: '***-***-4567',
  isThisBrowser: false,
  canText: true,
  hasOptedOut: false,
  textsFrom: '+12125550100',
  canProve: false,
  code: null,
  paused: false,
  rejection: null,
  shipment: null,
  ...changes,
});

/** It was rejected today. */
export const aRejection = (changes: Partial<ClaimRejectionView> = {}): ClaimRejectionView => ({
  reason: 'residence',
  note: 'The address is in Canada.',
  rejectedAt: '2026-12-01T15:00:00Z',
  objectUntil: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  objection: null,
  ...changes,
});

export const aDrawing = (changes: Partial<PublicDrawingView> = {}): PublicDrawingView => ({
  id: 7,
  status: 'drawn',
  kind: 'regular',
  period: '2026-11',
  voids: 0,
  beacon: null,
  landingPage: 'garden-bag',
  prize: { name: 'Garden Bag Essentials', value: '$150+' },
  createdAt: '2026-12-01T05:00:00.000000Z',
  totalParticipants: 3,
  totalEntries: 9_999_999,
  winningEntryNumber: 1_234_567,
  winnerLast4: '4567',
  claims: [],
  isUnclaimed: false,
  ...changes,
});

/** The claim of the entry that was drawn first. */
export const aClaimRecord = (changes: Partial<ClaimRecordView> = {}): ClaimRecordView => ({
  rank: 0,
  status: 'awaiting',
  until: '2026-12-15T17:00:00Z',
  reason: null,
  decidedBy: null,
  verifiedBy: null,
  confirmedBy: null,
  firstName: null,
  state: null,
  ...changes,
});

/** Free entries that can be had now. */
export const aFreeOffer = (changes: Partial<FreeOfferView> = {}): FreeOfferView => ({
  entries: 4,
  isClaimed: false,
  againAt: '2026-11-24T05:00:00Z',
  used: 0,
  cap: 100,
  ...changes,
});

/** None yet, unless a test says otherwise. */
export const someShares = (changes: Partial<ShareProgressView> = {}): ShareProgressView => ({
  platformsShared: [],
  totalShares: 0,
  shareStreak: 0,
  lastShareDate: null,
  achievements: [],
  bonusEntries: 0,
  level: 1,
  xp: 0,
  ...changes,
});

export const someOdds = (changes: Partial<OddsView> = {}): OddsView => ({
  entries: 1,
  totalEntries: 334,
  probability: 1 / 334,
  ...changes,
});
