import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { adminCall } from '../../testing/console/handlers';
import { renderAdmin } from '../../testing/console/renderConsole';
import { refusing, server } from '../../testing/server';
import { admin } from '../api/admin';

const waitingIs = (counts: { appeals: number; claims: number; approvals?: number }) =>
  server.use(adminCall('get', 'waiting', { approvals: 0, ...counts }));

const link = (name: string) => screen.findByRole('link', { name });

describe('the counts of what waits', () => {
  it('stand in the menu and at the tab, and are said in words', async () => {
    waitingIs({ appeals: 3, claims: 1_200 });
    renderAdmin();
    expect(await link('Analytics, 3 waiting')).toHaveTextContent('Analytics3');
    expect(await link('Drawing, 1,200 waiting')).toHaveTextContent('Drawing1,200');
    expect(await screen.findByRole('tab', { name: 'Security, 3 waiting' })).toBeVisible();
  });

  it('are not there while nothing waits or they cannot be read', async () => {
    server.use(refusing('/api/admin/waiting', 500, { error: 'Broken' }));
    renderAdmin();
    await screen.findByRole('heading', { name: 'Admin Dashboard' });
    expect(await link('Analytics')).toHaveTextContent(/^Analytics$/);
    expect(screen.queryByText('Broken')).toBeNull();
  });

  it('change after what staff do with appeals and claims', async () => {
    waitingIs({ appeals: 1, claims: 1 });
    const { store } = renderAdmin();
    await link('Analytics, 1 waiting');
    waitingIs({ appeals: 0, claims: 1 });
    server.use(adminCall('post', 'fraud/appeals/7/decide', {}));
    const { decideAppeal, approveClaim } = admin.endpoints;
    const decision = { id: 7, decisionBody: { decision: 'accept' as const } };
    await store.dispatch(decideAppeal.initiate(decision));
    await link('Analytics');
    await link('Drawing, 1 waiting');
    waitingIs({ appeals: 0, claims: 0 });
    server.use(adminCall('post', 'claims/7/approve', {}));
    await store.dispatch(approveClaim.initiate({ id: 7 }));
    await link('Drawing');
  });
});
