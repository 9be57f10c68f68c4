import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { PhoneVerificationView } from '../../api/admin';
import { someSettings } from '../../../testing/console/builders';
import { adminCall } from '../../../testing/console/handlers';
import { renderAdmin } from '../../../testing/console/renderConsole';
import { smsHandlers, storedTexts } from '../../../testing/console/smsBuilders';
import { refusing, server } from '../../../testing/server';

const WORDS = 'Nobody can enter: sign-ups need a code, and no SMS account is set up.';
const notice = () => screen.findByText(WORDS, { exact: false });
const noNotice = () => expect(screen.queryByText(WORDS, { exact: false })).not.toBeInTheDocument();

const settingsAre = (phoneVerification: PhoneVerificationView) =>
  server.use(
    ...smsHandlers(storedTexts()),
    adminCall('get', 'settings', () => ({ settings: someSettings({ phoneVerification }) })),
    adminCall('get', 'audit-log', { entries: [] }),
  );

describe('the notice that nobody can enter', () => {
  it.each(['analytics', 'sms', 'settings'])('stands on the screen %s', async (section) => {
    settingsAre('no_account');
    renderAdmin(`?section=${section}`);
    expect(await notice()).toHaveRole('alert');
  });

  it('leads to the settings, and stays until an account is saved', async () => {
    settingsAre('no_account');
    const { user } = renderAdmin('?section=sms');
    await user.click(within(await notice()).getByRole('link', { name: 'Set up an SMS account' }));
    expect(location.search).toBe('?section=settings');
    expect(await notice()).toBeVisible();

    settingsAre('on');
    server.use(adminCall('post', 'save-credentials', { success: true }));
    await user.type(await screen.findByLabelText('Account SID'), `AC${'0'.repeat(32)}`);
    await user.type(screen.getByLabelText('Auth Token'), '0'.repeat(32));
    await user.type(screen.getByLabelText('Phone Number'), '5551234567');
    await user.click(screen.getByRole('button', { name: 'Save credentials' }));
    await waitFor(noNotice);
  }, 30_000);

  it.each(['off', 'on'] as const)('is not there when codes are %s', async (state) => {
    settingsAre(state);
    renderAdmin('?section=settings');
    await screen.findByText('Configured', { exact: true });
    noNotice();
  });

  it('is not there when the settings cannot be read', async () => {
    server.use(
      ...smsHandlers(storedTexts()),
      adminCall('get', 'audit-log', { entries: [] }),
      refusing('/api/admin/settings', 500, { error: 'Broken' }),
    );
    renderAdmin('?section=settings');
    await screen.findByText('Broken');
    noNotice();
  });
});
