import { screen } from '@testing-library/react';
import type {
  AppealView,
  FlaggedUserView,
  SharedNetworkView,
  SuspiciousActivityView,
} from '../../console/api/admin';
import { server } from '../server';
import { aDashboard } from './builders';
import { adminCall } from './handlers';
import { renderAdmin } from './renderConsole';

export const TAB = '?section=analytics&tab=security';

export const anAddress = (
  changes: Partial<SuspiciousActivityView> = {},
): SuspiciousActivityView => ({
  ipAddress: '203.0.113.7',
  count: 4,
  flagged: false,
  userId: 12,
  ...changes,
});

/** The dashboard's list of addresses; a function is asked each time. */
export const suspicious = (rows: SuspiciousActivityView[] | (() => SuspiciousActivityView[])) =>
  adminCall('get', 'analytics/dashboard', () =>
    aDashboard({ suspiciousActivity: typeof rows === 'function' ? rows() : rows }),
  );

export const flaggedAre = (users: FlaggedUserView[] | (() => FlaggedUserView[]), total?: number) =>
  adminCall(
    'get',
    'flagged-users',
    () => ({ flaggedUsers: typeof users === 'function' ? users() : users }),
    total === undefined ? {} : { 'X-Total-Count': String(total) },
  );

export const anAppeal = (changes: Partial<AppealView> = {}): AppealView => ({
  id: 4,
  status: 'open',
  message: 'We are four people in one house.',
  createdAt: '2026-11-21T15:00:00Z',
  decidedAt: null,
  note: null,
  user: {
    id: 7,
    phoneNumber: '+15551234567',
    landingPage: 'garden-bag',
    totalEntries: 3,
    isFlagged: true,
  },
  reason: 'Multiple accounts from IP 203.0.113.7',
  evidence: [{ kind: 'shared_network', value: 4 }],
  flaggedAt: '2026-11-20T15:00:00Z',
  ...changes,
});

const countedAs = (total?: number) =>
  total === undefined ? undefined : { 'X-Total-Count': String(total) };

/** Answers what has the status that is asked for; a function is asked each time. */
export const appealsAre = (rows: AppealView[] | (() => AppealView[]), total?: number) =>
  adminCall(
    'get',
    'fraud/appeals',
    ({ url }) => {
      const all = typeof rows === 'function' ? rows() : rows;
      const status = new URL(url).searchParams.get('status');
      return {
        appeals: all.filter((appeal) => !status || appeal.status === status),
        open: all.filter((appeal) => appeal.status === 'open').length,
      };
    },
    countedAs(total),
  );

export const aNetwork = (changes: Partial<SharedNetworkView> = {}): SharedNetworkView => ({
  id: 2,
  network: '198.51.100.0/24',
  label: 'Springfield University',
  createdAt: '2026-11-21T15:00:00Z',
  ...changes,
});

export const networksAre = (rows: SharedNetworkView[] | (() => SharedNetworkView[])) =>
  adminCall('get', 'fraud/networks', () => ({
    networks: typeof rows === 'function' ? rows() : rows,
  }));

/** The tab, with no flagged users. */
export function renderTab() {
  server.use(flaggedAre([]));
  return renderAdmin(TAB);
}

export const addresses = () => screen.findByRole('table', { name: /each address/ });
export const flagged = () => screen.findByRole('table', { name: /excluded from the raffles/ });
export const flagButton = () => screen.findByRole('button', { name: /^Flag \(User\)/ });
