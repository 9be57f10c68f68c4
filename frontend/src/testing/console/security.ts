import { screen } from '@testing-library/react';
import type { FlaggedUserView, SuspiciousActivityView } from '../../console/api/admin';
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

/** The tab, with no flagged users. */
export function renderTab() {
  server.use(flaggedAre([]));
  return renderAdmin(TAB);
}

export const addresses = () => screen.findByRole('table', { name: /each address/ });
export const flagged = () => screen.findByRole('table', { name: /excluded from the raffles/ });
export const flagButton = () => screen.findByRole('button', { name: /^Flag \(User\)/ });
