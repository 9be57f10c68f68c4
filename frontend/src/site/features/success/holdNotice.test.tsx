import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { aHold, anOwnAppeal, aStanding } from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../testing/server';
import type { StandingView } from '../../api/generated';

const PAGE = '/garden-bag/success/7';
const MESSAGE = 'We are four people in one house.';

const standingIs = (standing: StandingView | (() => StandingView)) =>
  http.get('*/api/users/:id/appeal', () =>
    HttpResponse.json(typeof standing === 'function' ? standing() : standing),
  );

/** Takes appeals; `sent` has their messages. */
function takingAppeals() {
  const sent: unknown[] = [];
  const handler = http.post('*/api/users/:id/appeal', async ({ request }) => {
    const body = (await request.json()) as { message: string };
    sent.push(body);
    const appeal = anOwnAppeal({ message: body.message });
    return HttpResponse.json(aHold({ canAppeal: false, appeal }), { status: 201 });
  });
  return { sent, handler };
}

const notice = (name = 'Your entries are on hold') => screen.findByRole('region', { name });
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Your message');
const send = () => screen.getByRole('button', { name: 'Send message' });
const pageIsThere = () => screen.findByLabelText('Your referral link');

describe('an entrant whose entries are on hold', () => {
  it('reads it first on the page, and why', async () => {
    server.use(standingIs(aHold()));
    await renderPath(PAGE);
    const part = await notice();
    expect(part).toHaveTextContent('several people entered from your internet connection');
    const title = screen.getByRole('heading', { level: 1 });
    expect(part.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('appeals once, however often the button is pressed, and reads the message back', async () => {
    const { sent, handler } = takingAppeals();
    server.use(standingIs(aHold()), handler);
    const { user } = await renderPath(PAGE);
    await user.type(await field(), `  ${MESSAGE} `);
    await user.dblClick(send());
    const part = await notice('We have your message');
    expect(part).toHaveTextContent(MESSAGE);
    expect(part).toHaveTextContent('the answer will be on this page');
    expect(within(part).getByRole('heading')).toHaveFocus();
    expect(screen.queryByLabelText('Your message')).not.toBeInTheDocument();
    expect(sent).toEqual([{ message: MESSAGE }]);
  });

  it.each([
    ['nothing', '', 'Tell us what happened.'],
    ['9 characters', '  too short  ', 'Write at least 10 characters.'],
    ['501 characters', '🌱'.repeat(501), 'Write at most 500 characters.'],
  ])('is told by the field what is wrong with %s', async (_, typed, problem) => {
    const { sent, handler } = takingAppeals();
    server.use(standingIs(aHold()), handler);
    const { user } = await renderPath(PAGE);
    await user.click(await field());
    if (typed) await user.paste(typed);
    await user.click(send());
    await waitFor(async () => expect(await field()).toHaveAccessibleDescription(RegExp(problem)));
    expect(await field()).toHaveFocus();
    expect(await field()).toHaveValue(typed);
    expect(sent).toEqual([]);
  });

  it('sees how much is left only near the limit', async () => {
    server.use(standingIs(aHold()));
    const { user } = await renderPath(PAGE);
    await user.click(await field());
    await user.paste('a'.repeat(399));
    expect(screen.queryByText(/left of 500/)).not.toBeInTheDocument();
    await user.paste('a');
    expect(await screen.findByText('100 left of 500')).toBeInTheDocument();
    await user.paste('a'.repeat(102));
    expect(await screen.findByText('2 too many')).toBeInTheDocument();
  });

  it('keeps what was typed when it cannot be sent, and sends it again', async () => {
    const { sent, handler } = takingAppeals();
    server.use(standingIs(aHold()), handler);
    server.use(http.post('*/api/users/:id/appeal', () => HttpResponse.error(), { once: true }));
    const { user } = await renderPath(PAGE);
    await user.type(await field(), MESSAGE);
    await user.click(send());
    expect(await screen.findByText(/We could not reach Tombola/)).toHaveAttribute('role', 'alert');
    expect(await field()).toHaveValue(MESSAGE);
    await user.click(send());
    expect(await notice('We have your message')).toHaveTextContent(MESSAGE);
    expect(sent).toHaveLength(1);
  });

  it("has the server's words at the field", async () => {
    server.use(
      standingIs(aHold()),
      http.post('*/api/users/:id/appeal', () =>
        HttpResponse.json(
          { error: 'No', code: 'validation', fields: { message: ['Must not have that'] } },
          { status: 400 },
        ),
      ),
    );
    const { user } = await renderPath(PAGE);
    await user.type(await field(), MESSAGE);
    await user.click(send());
    await waitFor(async () =>
      expect(await field()).toHaveAccessibleDescription(/Must not have that/),
    );
    expect(await field()).toHaveFocus();
  });

  it('who appealed in another tab sees that message', async () => {
    let standing = aHold();
    const appeal = anOwnAppeal({ message: 'Sent in another tab.' });
    server.use(
      standingIs(() => standing),
      http.post('*/api/users/:id/appeal', () => {
        standing = aHold({ canAppeal: false, appeal });
        return HttpResponse.json(
          { error: 'We have your message already.', code: 'appeal_open' },
          { status: 409 },
        );
      }),
    );
    const { user } = await renderPath(PAGE);
    await user.type(await field(), MESSAGE);
    await user.click(send());
    const part = await notice('We have your message');
    expect(part).toHaveTextContent('Sent in another tab.');
    expect(within(part).getByRole('heading')).toHaveFocus();
  });
});

describe('the decision of an appeal', () => {
  it('is awaited while the page stays open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const open = aHold({ canAppeal: false, appeal: anOwnAppeal() });
    let standing = open;
    server.use(standingIs(() => standing));
    await renderPath(PAGE);
    expect(await notice('We have your message')).toHaveTextContent(MESSAGE);
    const appeal = anOwnAppeal({ status: 'accepted', decidedAt: '2025-08-06T15:00:00Z' });
    standing = aStanding({ appeal });
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await notice('Your entries count again')).toBeInTheDocument();
    vi.useRealTimers();
  });

  it('accepted: the entries count again, with the note', async () => {
    const note = 'Thank you.\nGood luck.';
    const appeal = anOwnAppeal({ status: 'accepted', decidedAt: '2025-08-06T15:00:00Z', note });
    server.use(standingIs(aStanding({ appeal })));
    await renderPath(PAGE);
    const part = await notice('Your entries count again');
    expect(part).toHaveTextContent('Our answer:Thank you. Good luck.');
    expect(part).not.toHaveTextContent(/are on hold/);
    expect(screen.queryByLabelText('Your message')).not.toBeInTheDocument();
  });

  it.each([
    ['can write again', true],
    ['cannot where the server takes no more', false],
  ])('rejected: the entrant reads why and %s', async (_, canAppeal) => {
    const note = 'All four came from one phone.';
    const appeal = anOwnAppeal({ status: 'rejected', decidedAt: '2025-08-06T15:00:00Z', note });
    server.use(standingIs(aHold({ canAppeal, appeal })));
    await renderPath(PAGE);
    const part = await notice();
    expect(part).toHaveTextContent('Your entries stay on hold');
    expect(part).toHaveTextContent(`Our answer:${note}`);
    expect(part).toHaveTextContent(MESSAGE);
    expect(screen.queryAllByLabelText('Your message')).toHaveLength(canAppeal ? 1 : 0);
  });

  it('says nothing of an old decision to someone who was flagged again', async () => {
    const appeal = anOwnAppeal({ status: 'accepted', note: 'Thank you.' });
    server.use(standingIs(aHold({ appeal })));
    await renderPath(PAGE);
    expect(await notice()).not.toHaveTextContent('Thank you.');
    expect(await field()).toBeInTheDocument();
  });
});

describe('the page is as it was', () => {
  it('when nothing is on hold', async () => {
    await renderPath(PAGE);
    await pageIsThere();
    expect(screen.queryByText(/on hold/)).not.toBeInTheDocument();
  });

  it('in a browser that did not enter, which does not ask', async () => {
    const asked = vi.fn(() => HttpResponse.json(aHold()));
    server.use(
      ...entrant({ user: { phoneNumber: '***-***-4567' } }),
      http.get('*/api/users/:id/appeal', asked),
    );
    await renderPath(PAGE);
    await pageIsThere();
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([403, 404, 503])('when the server answers %i', async (status) => {
    const asked = vi.fn();
    server.events.on('response:mocked', ({ request }) => {
      if (request.url.endsWith('/appeal')) asked();
    });
    server.use(refusing('/api/users/:id/appeal', status, { error: 'No', code: 'no' }));
    await renderPath(PAGE);
    await pageIsThere();
    await waitFor(() => expect(asked).toHaveBeenCalled());
    server.events.removeAllListeners();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(screen.queryByText(/on hold/)).not.toBeInTheDocument();
  });
});
