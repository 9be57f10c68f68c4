import type {
  AuditEntryView,
  DashboardView,
  DrawingView,
  RaffleView,
  FlaggedUserView,
  FunnelView,
  LandingPageView,
  PackageView,
  SettingsValuesView,
  SmsSettingsView,
  TrendsView,
} from '../../console/api/admin';

export const landingPages: LandingPageView[] = [
  'garden-bag',
  'fresh-sips',
  'kitchen-garden',
  'sustainable-living',
];

const names: Record<string, string> = {
  'garden-bag': 'Garden Bag Essentials',
  'fresh-sips': 'Fresh Sips Mixology Kit',
  'kitchen-garden': 'Kitchen Garden Essentials',
  'sustainable-living': 'Sustainable Living Starter Kit',
};

/** The four, as the list of raffles names them. */
export const fourRaffles = (known: Partial<Record<string, Partial<RaffleView>>> = {}) =>
  landingPages.map((landingPage) => aRaffle({ landingPage, ...known[landingPage] }));

export const aDashboard = (changes: Partial<DashboardView> = {}): DashboardView => ({
  totalUsers: 1_284,
  totalReferrals: 392,
  totalPageViews: 8_641,
  conversionRate: 14.8593912741,
  referralFunnel: Array.from({ length: 12 }, (_, index) => ({
    referralCode: `FUNNEL${10 + index}`,
    views: 420 - index,
    signups: 96 - index,
    referrals: 90 - index,
    shares: 30 - index,
    conversions: 0,
  })),
  referralVelocity: { avgTimeToFirstReferral: 205.4, avgReferralsPerUser: 0.3053 },
  topReferrers: Array.from({ length: 7 }, (_, index) => ({
    referralCode: `TOPREF${10 + index}`,
    phoneNumber: `+1555123450${index}`,
    count: 90 - index,
  })),
  suspiciousActivity: [],
  landingPageStats: landingPages.map((landingPage, index) => ({
    landingPage,
    users: index === 3 ? 0 : 321,
    referrals: index === 3 ? 0 : 98,
    pageViews: index === 3 ? 0 : 2_160,
  })),
  ...changes,
});

export const someTrends = (changes: Partial<TrendsView> = {}): TrendsView => ({
  timeZone: 'America/New_York',
  unit: 'day',
  buckets: ['2026-11-19T05:00:00Z', '2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z'],
  raffles: landingPages.map((landingPage, index) => ({
    landingPage,
    views: [100 * index, 120 * index, 80 * index],
    signUps: [10 * index, 12 * index, 8 * index],
  })),
  velocity: [
    { underSeconds: 60, referrers: 4 },
    { underSeconds: 600, referrers: 9 },
    { underSeconds: 3_600, referrers: 6 },
    { underSeconds: 21_600, referrers: 3 },
    { underSeconds: 86_400, referrers: 2 },
    { underSeconds: 604_800, referrers: 1 },
    { underSeconds: null, referrers: 1 },
  ],
  ...changes,
});

export const aFunnel = (changes: Partial<FunnelView> = {}): FunnelView => ({
  totalSessions: 6_123,
  avgTimeSpent: 47.6,
  stepBreakdown: {
    signUp: { count: 1_284, exits: 892 },
    pageView: { count: 6_123, exits: 3_011 },
    formStart: { count: 3_112, exits: 1_828 },
    socialShare: { count: 0, exits: 0 },
  },
  ...changes,
});

export const aFlaggedUser = (changes: Partial<FlaggedUserView> = {}): FlaggedUserView => ({
  id: 7,
  phoneNumber: '+15551234567',
  landingPage: 'garden-bag',
  totalEntries: 3,
  ipAddress: '203.0.113.7',
  createdAt: '2026-11-20T15:00:00Z',
  reason: 'Multiple accounts from IP 203.0.113.7',
  evidence: [{ kind: 'shared_network', value: 4 }],
  flaggedAt: '2026-11-21T15:00:00Z',
  ...changes,
});

export const anAuditEntry = (changes: Partial<AuditEntryView> = {}): AuditEntryView => ({
  id: 1,
  member: null,
  action: 'login',
  target: null,
  details: {},
  ipAddress: '203.0.113.9',
  createdAt: '2026-11-21T15:00:00Z',
  ...changes,
});

export const aDrawing = (changes: Partial<DrawingView> = {}): DrawingView => ({
  id: 7,
  status: 'drawn',
  landingPage: 'garden-bag',
  period: '2026-11',
  kind: 'regular',
  reason: null,
  prize: { name: 'Garden Bag Essentials', value: '$150+' },
  sealDueAt: '2026-11-21T20:04:00Z',
  sealedAt: '2026-11-21T20:04:00Z',
  root: 'cd'.repeat(32),
  beacon: null,
  drawnAt: '2026-11-21T20:04:00Z',
  voidReason: null,
  voidableAt: null,
  winnerId: 12,
  winnerPhoneNumber: '+15551234567',
  winningEntryNumber: 2_313,
  totalParticipants: 1_204,
  totalEntries: 3_456,
  drawingMethod: 'random',
  verificationHash: 'ab'.repeat(32),
  createdAt: '2026-11-21T20:04:00Z',
  ...changes,
});

/** A drawing that waits for its beacon. */
export const aSealedDrawing = (changes: Partial<DrawingView> = {}): DrawingView =>
  aDrawing({
    status: 'sealed',
    beacon: {
      chainHash: 'ef'.repeat(32),
      round: 24_000_000,
      expectedAt: '2026-11-21T20:06:00Z',
      waitingSince: null,
    },
    winnerId: null,
    winnerPhoneNumber: null,
    winningEntryNumber: null,
    verificationHash: null,
    drawnAt: null,
    voidableAt: '2999-01-01T00:00:00Z',
    ...changes,
  });

export const aRaffle = (changes: Partial<RaffleView> = {}): RaffleView => ({
  landingPage: 'garden-bag',
  name: names[changes.landingPage ?? 'garden-bag'] ?? '',
  number: 1,
  title: `Win the ${names[changes.landingPage ?? 'garden-bag'] ?? ''}`,
  palette: 'clay',
  picture: { scene: 'tool-bag', upload: null, alt: '' },
  version: 1,
  waitingVersion: null,
  hasChanges: false,
  isDefault: false,
  linkPrefix: changes.landingPage?.split('-')[0] ?? 'garden', // the first word, for the first four
  status: 'open',
  nextStatus: null,
  nextAt: null,
  isDrawn: false,
  reasonRequired: false,
  drawsAt: null,
  waiting: [],
  ...changes,
});

export const aPackage = (changes: Partial<PackageView> = {}): PackageView => {
  const { entries = 10, price = 500 } = changes;
  return {
    id: 3,
    name: 'Starter Pack',
    description: 'A few more chances',
    entries,
    entryCount: entries,
    price,
    priceInCents: price,
    isPopular: false,
    isActive: true,
    sortOrder: 0,
    createdAt: '2026-11-20T15:00:00Z',
    ...changes,
  };
};

export const someSettings = (changes: Partial<SettingsValuesView> = {}): SettingsValuesView => ({
  phoneVerification: 'off',
  showPricing: false,
  sms: smsSettings(),
  ...changes,
});

export const smsSettings = (changes: Partial<SmsSettingsView> = {}): SmsSettingsView => ({
  configured: true,
  unreadable: false,
  accountSidLast4: '1a2b',
  phoneNumberLast4: '0042',
  ...changes,
});
