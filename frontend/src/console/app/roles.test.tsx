import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { StaffRoleView } from '../api/me';
import { answeringAs } from '../../testing/console/roles';
import { renderAdmin } from '../../testing/console/renderConsole';
import { server } from '../../testing/server';

/** The addresses of all screens, and something that each shows. */
const screens: [string, RegExp][] = [
  ['?section=analytics', /Views and sign-ups/],
  ['?section=analytics&tab=conversion', /Total Sessions/],
  ['?section=analytics&tab=funnel', /Top Referrers/],
  ['?section=analytics&tab=security', /Suspicious Activity/],
  ['?section=analytics&tab=pricing', /Starter Pack/],
  ['?section=drawing', /Drawing History/],
  ['?section=sms', /Recent campaigns/],
  ['?section=sms&tab=templates', /Messages for campaigns/],
  ['?section=sms&tab=campaigns', /Scheduled for/],
  ['?section=sms&tab=campaigns&campaign=4', /Failed, by reason/],
  ['?section=sms&tab=analytics', /Campaign texts only/],
  ['?section=sms&tab=welcome', /Everyone who enters gets one text/],
  ['?section=opening', /What this site needs/],
  ['?section=account', /Where you are logged in/],
];
const ofSupport: typeof screens = [
  ['?section=analytics&tab=security&view=flagged', /All Flagged Users/],
  ['?section=drawing&claim=5', /Calls and decisions/],
  ['?section=sms&tab=replies', /No replies yet/],
  ['?section=people', /Everybody who entered/],
  ['?section=people&person=7', /Copy and deletion/],
];

const ofManagers: typeof screens = [
  ['?section=sales', /Newest first/],
  ['?section=settings', /Tombola 1.2.3/],
];

const shows = async (text: RegExp) =>
  expect((await screen.findAllByText(text, { ignore: '.unseen' }))[0]).toBeInTheDocument();

async function settled() {
  await waitFor(() => {
    expect(screen.queryByText('Loading...')).not.toBeInTheDocument();
    expect(document.querySelector('.bone')).toBeNull();
  });
}

describe.each<StaffRoleView>(['viewer', 'support', 'manager', 'owner'])(
  'the console of a %s',
  (role) => {
    const isManager = role === 'manager' || role === 'owner';
    const seen = [
      ...screens,
      ...(role === 'viewer' ? [] : ofSupport),
      ...(isManager ? ofManagers : []),
    ];

    it.each(seen)('asks nothing at %s that the role may not ask', async (address, text) => {
      const { handler, refused } = answeringAs(role);
      server.use(handler);
      renderAdmin(address);
      await shows(text);
      await settled();
      expect(refused).toEqual([]);
      expect(screen.queryByText(/does not allow|does not open/)).not.toBeInTheDocument();
    });
  },
);

describe('an address that a role may not open', () => {
  it.each<[StaffRoleView, string]>([
    ['viewer', '?section=people'],
    ['viewer', '?section=drawing&claim=5'],
    ['viewer', '?section=sms&tab=replies'],
    ['viewer', '?section=analytics&tab=security&view=flagged'],
    ['viewer', '?section=settings'],
    ['support', '?section=settings'],
    ['support', '?section=people&view=import'],
    ['support', '?section=settings&tab=approvals'],
    ['manager', '?section=settings&tab=staff'],
  ])('says so to a %s at %s', async (role, address) => {
    const { handler, refused } = answeringAs(role);
    server.use(handler);
    const { user } = renderAdmin(address);
    expect(await screen.findByRole('heading', { name: 'Not for your role' })).toBeVisible();
    expect(screen.getByText(new RegExp(`Your role is ${role}`))).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Go to Analytics' }));
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
    expect(refused).toEqual([]);
  });
});

describe('what a role may not use', () => {
  async function buttonsOf(role: StaffRoleView, address: string, text: RegExp) {
    const { handler } = answeringAs(role);
    server.use(handler);
    renderAdmin(address);
    await shows(text);
    await settled();
    const main = screen.getByRole('main');
    return within(main)
      .queryAllByRole('button')
      .map((button) => button.textContent?.trim());
  }

  it('is not in the menu of a viewer, nor what waits for others', async () => {
    const { handler } = answeringAs('viewer');
    server.use(handler);
    renderAdmin();
    await screen.findByRole('heading', { name: 'Admin Dashboard' });
    const menu = within(screen.getByRole('navigation', { name: 'Sections' }));
    await settled();
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Analytics',
      'Drawing',
      'SMS Campaigns',
      'Raffles',
      'Before you open',
    ]);
  });

  it.each<[StaffRoleView, number]>([
    ['manager', 0],
    ['owner', 1],
  ])('lets a %s clear nothing, unless they own the console', async (role, count) => {
    const found = await buttonsOf(role, '?section=analytics&tab=pricing', /Starter Pack/);
    expect(found.filter((name) => name === 'Clear Campaigns')).toHaveLength(count);
  });

  it('has no buttons for a viewer on the screen of the drawing', async () => {
    const found = await buttonsOf('viewer', '?section=drawing', /Drawing History/);
    expect(found).not.toContain('Draw Winner');
    expect(found).not.toContain('Void');
    expect(found).not.toContain('Export CSV');
    expect(found.filter((name) => name?.startsWith('Change'))).toEqual([]);
    expect(screen.queryByRole('heading', { name: 'Claims' })).not.toBeInTheDocument();
  });

  it('lets support follow up a claim, but not decide it or see the address', async () => {
    const found = await buttonsOf('support', '?section=drawing&claim=5', /Calls and decisions/);
    expect(found).not.toContain('Approve');
    expect(found).not.toContain('Reject');
    expect(screen.getByText('Only owners see what the winner sent.')).toBeVisible();
  });

  it("lets support copy a person's data, but not delete it", async () => {
    const found = await buttonsOf('support', '?section=people&person=7', /Copy and deletion/);
    expect(found).toContain('Make a copy');
    expect(found).not.toContain("Delete this person's data");
    expect(found).not.toContain('Mark as a duplicate');
  });

  it("lets a manager do all but what is the owners'", async () => {
    const found = await buttonsOf('manager', '?section=settings', /Tombola 1.2.3/);
    expect(found).toContain('Send a test text');
    expect(found).not.toContain('Save credentials');
    expect(found).not.toContain('Clear Analytics Data');
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'General',
      'Approvals4',
    ]);
  });

  it.each([
    ['?section=sms&tab=campaigns', /Scheduled for/],
    ['?section=sms&tab=campaigns&campaign=4', /Failed, by reason/],
  ])('has no file of numbers for a viewer or support at %s', async (address, text) => {
    expect(await buttonsOf('manager', address, text)).toContain('Export CSV');
    for (const role of ['viewer', 'support'] as const) {
      cleanup();
      expect(await buttonsOf(role, address, text)).not.toContain('Export CSV');
    }
  });

  it('is explained when the server refuses it all the same', async () => {
    const { handler } = answeringAs('viewer');
    server.use(handler);
    const { store } = renderAdmin();
    await screen.findByRole('heading', { name: 'Admin Dashboard' });
    const { admin } = await import('../api/admin');
    const { error } = await store.dispatch(admin.endpoints.listAppeals.initiate({}));
    expect(error).toMatchObject({
      code: 'forbidden',
      sentence: 'Your role does not allow this. If you need it, ask an owner of this console.',
    });
  });
});
