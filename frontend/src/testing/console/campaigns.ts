import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach } from 'vitest';
import { server } from '../server';
import { adminCall } from './handlers';
import { part, renderAdmin } from './renderConsole';
import { aCampaign, anEstimate, smsHandlers, storedTexts } from './smsBuilders';

export const TAB = '?section=sms&tab=campaigns';
export const LIST = '/api/admin/sms/campaigns';
export const ESTIMATE = `${LIST}/estimate`;
export const SCHEDULE = `${LIST}/schedule`;
export const TIME = 'Date and time (America/New_York)';

interface Sent {
  key: string | null;
  body: Record<string, unknown>;
}

/** What the server answers from; a test may change it. */
export const stored = storedTexts();
/** The bodies of the estimates that were asked for. */
export const estimated: Record<string, unknown>[] = [];
/** What was scheduled. */
export const scheduled: Sent[] = [];

/** Every test begins with no campaigns and one template. */
export function installCampaigns() {
  beforeEach(() => {
    Object.assign(stored, storedTexts());
    estimated.length = 0;
    scheduled.length = 0;
    server.use(...smsHandlers(stored));
  });
}

export const table = () => screen.findByRole('table', { name: /^Campaigns/ });

export const estimating = (changes = {}) =>
  adminCall('post', 'sms/campaigns/estimate', async (request) => {
    estimated.push((await request.json()) as Record<string, unknown>);
    return anEstimate(changes);
  });
export const scheduling = (answered = Promise.resolve()) =>
  adminCall('post', 'sms/campaigns/schedule', async (request) => {
    const body = (await request.json()) as Record<string, unknown>;
    scheduled.push({ key: request.headers.get('Idempotency-Key'), body });
    await answered;
    stored.campaigns = [aCampaign(body)];
    return stored.campaigns[0]!;
  });

export async function openForm() {
  const { user } = renderAdmin(TAB);
  await user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
  const card = within(await part('New campaign'));
  await card.findByLabelText('Campaign name');
  return { user, card };
}
type Opened = Awaited<ReturnType<typeof openForm>>;

export const setTime = ({ card }: Opened, value: string) =>
  fireEvent.change(card.getByLabelText(TIME), { target: { value } });
export const review = ({ user, card }: Opened) =>
  user.click(card.getByRole('button', { name: 'Review campaign' }));
export const confirmation = () => screen.findByRole('alertdialog', { name: 'Schedule July?' });
export const confirmButton = async () =>
  within(await confirmation()).getByRole('button', { name: /^Schedul/ });

/** The form with everything filled in that has to be. */
export async function filledForm() {
  const opened = await openForm();
  const { user, card } = opened;
  await user.type(card.getByLabelText('Campaign name'), 'July');
  await user.selectOptions(card.getByLabelText('Template'), 'Summer');
  setTime(opened, '2099-07-01T12:00');
  return opened;
}

/** What `filledForm` sends. */
export const filledBody = {
  templateId: 4,
  campaignName: 'July',
  scheduledDate: '2099-07-01T16:00:00.000Z',
  targetAudience: 'all',
};
