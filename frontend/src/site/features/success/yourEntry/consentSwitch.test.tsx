import { screen, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { aConsent, aUser } from '../../../../testing/site/builders';
import { renderPath } from '../../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../../testing/server';
import type { ConsentBody, ConsentView } from '../../../api/generated';

const PAGE = '/garden-bag/success/7/your-entry';

/** A server that keeps what it is told; `sent` has the bodies. */
function keeping(first: Partial<ConsentView> = {}) {
  let consent = aConsent(first);
  const sent: ConsentBody[] = [];
  server.use(
    http.get('*/api/users/:id/consent', () => HttpResponse.json(consent)),
    http.put('*/api/users/:id/consent', async ({ request }) => {
      const body = (await request.json()) as ConsentBody;
      sent.push(body);
      await delay(5);
      consent = { ...consent, ...body };
      return HttpResponse.json(consent);
    }),
  );
  return sent;
}

const part = () => screen.findByRole('region', { name: 'Texts about raffles' });
const toggle = () => screen.findByRole('switch', { name: /Text me about upcoming raffles/ });

describe('the switch for texts about raffles', () => {
  it('turns them on and off, and says so', async () => {
    const sent = keeping();
    const { user } = await renderPath(PAGE);
    expect(await toggle()).not.toBeChecked();
    await user.click(await toggle());
    expect(await toggle()).toBeChecked();
    expect(await screen.findByText('Saved: texts are on.')).toHaveAttribute('role', 'status');
    await user.click(await toggle());
    expect(await screen.findByText('Saved: texts are off.')).toBeInTheDocument();
    expect(await toggle()).not.toBeChecked();
    expect(sent).toEqual([{ smsCampaigns: true }, { smsCampaigns: false }]);
  });

  it('works with the keyboard, and is sent once for a double click', async () => {
    const sent = keeping();
    const { user } = await renderPath(PAGE);
    (await toggle()).focus();
    await user.keyboard(' ');
    await screen.findByText('Saved: texts are on.');
    await user.dblClick(await toggle());
    await screen.findByText('Saved: texts are off.');
    expect(sent).toEqual([{ smsCampaigns: true }, { smsCampaigns: false }]);
  });

  it('says how STOP is lifted', async () => {
    keeping({ hasOptedOut: true });
    await renderPath(PAGE);
    expect(await part()).toHaveTextContent('To get texts again, text START to (555) 010-0000.');
  });

  it('names no number while texts are not configured', async () => {
    keeping({ hasOptedOut: true, textsFrom: null });
    await renderPath(PAGE);
    expect(await part()).toHaveTextContent('To get texts again, text START.');
  });

  it('stays as it was when the change cannot be saved, and works again', async () => {
    const sent = keeping({ smsCampaigns: true });
    server.use(http.put('*/api/users/:id/consent', () => HttpResponse.error(), { once: true }));
    const { user } = await renderPath(PAGE);
    await user.click(await toggle());
    expect(await within(await part()).findByRole('alert')).toHaveTextContent(
      'We could not reach Tombola',
    );
    expect(await toggle()).toBeChecked();
    await user.click(await toggle());
    expect(await screen.findByText('Saved: texts are off.')).toBeInTheDocument();
    expect(within(await part()).queryByRole('alert')).not.toBeInTheDocument();
    expect(sent).toEqual([{ smsCampaigns: false }]);
  });

  it('is not there in another browser', async () => {
    server.use(...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }));
    await renderPath(PAGE);
    await screen.findByText(/^Only the browser that you entered with/);
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  });

  it('that cannot be read can be asked for again', async () => {
    server.use(refusing('/api/users/7/consent', 503, {}));
    const { user } = await renderPath(PAGE);
    expect(await screen.findByRole('alert')).toHaveTextContent('We are busy right now.');
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    keeping();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await toggle()).not.toBeChecked();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
