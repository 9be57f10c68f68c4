import { http, HttpResponse } from 'msw';
import type { DataRequestView, PersonRowView, PersonView } from '../../console/api/people';
import { adminCall } from './handlers';

export const PEOPLE = '?section=people';
export const FILE = `${PEOPLE}&person=7`;

export const aPersonRow = (changes: Partial<PersonRowView> = {}): PersonRowView => ({
  id: 7,
  phoneNumber: '+15551234567',
  referralCode: 'CDFG3467',
  landingPage: 'garden-bag',
  totalEntries: 12,
  isFlagged: false,
  isDuplicate: false,
  tags: [],
  createdAt: '2026-11-20T15:00:00Z',
  ...changes,
});

const none = { rows: [], total: 0 };

export const aPerson = (changes: Partial<PersonView> = {}): PersonView => ({
  profile: {
    id: 7,
    phoneNumber: '+15551234567',
    referralCode: 'CDFG3467',
    landingPage: 'garden-bag',
    createdAt: '2026-11-20T15:00:00Z',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
    isFlagged: false,
    totalEntries: 3,
    baseEntries: 1,
    bonusEntries: 2,
    paidEntries: 0,
    heldEntries: 0,
    hasOptedOut: false,
    smsCampaigns: true,
    dataSource: 'site',
    importBatchId: null,
    consentBasis: null,
    erasedAt: null,
  },
  referredBy: null,
  duplicateOf: null,
  duplicates: [],
  tags: ['vip'],
  notes: 'Called in May.',
  ledger: none,
  referrals: none,
  purchases: none,
  texts: none,
  replies: none,
  flags: [],
  appeals: [],
  claims: [],
  moves: [],
  ...changes,
});

export const erased = (): PersonView => {
  const person = aPerson({ tags: [], notes: '' });
  const gone = { phoneNumber: null, ipAddress: null, userAgent: null };
  return { ...person, profile: { ...person.profile, ...gone, erasedAt: '2026-11-21T15:00:00Z' } };
};

export const peopleAre = (people: PersonRowView[], isTotalExact = true) =>
  adminCall('get', 'people', () => ({ people, total: people.length, isTotalExact }));

export const tagsAre = (tags: string[]) => adminCall('get', 'people/tags', () => ({ tags }));

/** The person is as the function says at each request. */
export const personIs = (person: PersonView | (() => PersonView)) =>
  adminCall('get', 'people/7', () => (typeof person === 'function' ? person() : person));

export const requestsAre = (requests: DataRequestView[] | (() => DataRequestView[])) =>
  http.get('*/api/admin/people/7/data-requests', () =>
    HttpResponse.json({ requests: typeof requests === 'function' ? requests() : requests }),
  );

export const aRequest = (changes: Partial<DataRequestView> = {}): DataRequestView => ({
  id: 3,
  requestType: 'export',
  status: 'completed',
  createdAt: '2026-11-21T15:00:00Z',
  completedAt: '2026-11-21T15:00:00Z',
  expiresAt: '2026-11-24T15:00:00Z',
  fileUrl: `/api/data-exports/${'ab'.repeat(32)}`,
  verification: null,
  ...changes,
});
