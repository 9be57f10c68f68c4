import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { aTemplate } from '../../../testing/console/smsBuilders';
import {
  installCampaigns,
  TAB,
  ESTIMATE,
  TIME,
  stored,
  estimated,
  estimating,
  openForm,
  setTime,
  review,
  confirmation,
  filledForm,
  filledBody,
} from '../../../testing/console/campaigns';

installCampaigns();

const REQUIRED = 'Please fill in all required fields';

const BASIS = 'Why these numbers may be texted';

describe('scheduling', () => {
  it('previews the chosen template', async () => {
    const { user, card } = await openForm();
    expect(card.queryByRole('group', { name: 'Preview' })).not.toBeInTheDocument();
    await user.selectOptions(card.getByLabelText('Template'), 'Summer');
    expect(card.getByRole('group', { name: 'Preview' })).toHaveTextContent(
      `Your garden waits: ${location.origin}/planter/garden-preview234567`,
    );
  });

  it('offers active templates only', async () => {
    stored.templates = [aTemplate(), aTemplate({ id: 5, name: 'Old', isActive: false })];
    const { card } = await openForm();
    const names = within(card.getByLabelText('Template')).getAllByRole('option');
    expect(names.map(({ textContent }) => textContent)).toEqual(['Choose a template', 'Summer']);
  });

  it('leads to the templates when none is active', async () => {
    stored.templates = [aTemplate({ isActive: false })];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
    expect(await screen.findByText('No active template')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Go to Templates' }));
    expect(location.search).toBe('?section=sms&tab=templates');
  });

  it('names what is missing', async () => {
    const opened = await openForm();
    await review(opened);
    expect(await toast()).toHaveTextContent(REQUIRED);
    const { card } = opened;
    await waitFor(() => expect(card.getByLabelText('Campaign name')).toHaveFocus());
    for (const label of ['Campaign name', 'Template', TIME]) {
      expect(card.getByLabelText(label)).toHaveAccessibleDescription(
        expect.stringContaining(REQUIRED),
      );
    }
    await opened.user.click(card.getByLabelText('One landing page'));
    await review(opened);
    await waitFor(() =>
      expect(card.getByLabelText('Landing page')).toHaveAccessibleDescription(REQUIRED),
    );
    await opened.user.click(card.getByLabelText('A list of numbers'));
    await review(opened);
    await waitFor(() =>
      expect(card.getByLabelText('Phone numbers')).toHaveAccessibleDescription(
        expect.stringContaining(REQUIRED),
      ),
    );
    expect(card.getByLabelText(BASIS)).toHaveAccessibleDescription(
      expect.stringContaining(REQUIRED),
    );
    expect(estimated).toEqual([]);
  });

  it('can be for one landing page', async () => {
    server.use(estimating({ recipients: 0, overCap: 0 }));
    const opened = await filledForm();
    await opened.user.click(opened.card.getByLabelText('One landing page'));
    await opened.user.selectOptions(opened.card.getByLabelText('Landing page'), 'kitchen-garden');
    await review(opened);
    expect(await confirmation()).toHaveTextContent('Right now, nobody would get it.');
    expect(await confirmation()).not.toHaveTextContent('skipped');
    expect(estimated).toEqual([
      { ...filledBody, targetAudience: 'landing_page', landingPageFilter: 'kitchen-garden' },
    ]);
  });

  it('can be for a list of numbers, and names those that are listed twice', async () => {
    server.use(estimating({ recipients: 2, overCap: 1 }));
    const opened = await filledForm();
    const { user, card } = opened;
    await user.click(card.getByLabelText('A list of numbers'));
    expect(card.getByText('0 numbers')).toBeInTheDocument();
    await user.click(card.getByLabelText('Phone numbers'));
    await user.paste('(555) 123-4567, 5551234567\n+1234567890');
    expect(
      await card.findByText('2 numbers. Listed more than once, and texted once: (555) 123-4567'),
    ).toBeInTheDocument();
    await user.type(card.getByLabelText(BASIS), ' They asked for it. ');
    await user.type(card.getByLabelText(/^Link base URL/), 'https://t.example');
    await review(opened);
    expect(await confirmation()).toHaveTextContent(
      "1 recipient had July 2099's texts already and is",
    );
    expect(estimated).toEqual([
      {
        ...filledBody,
        targetAudience: 'custom',
        customPhoneNumbers: ['(555) 123-4567', '5551234567', '+1234567890'],
        consentBasis: 'They asked for it.',
        trackingUrlBase: 'https://t.example',
      },
    ]);
  });

  it('shows every number that is not a phone number', async () => {
    const messages = ['"12345" is not a phone number', '"abc" is not a phone number'];
    server.use(
      refusing(ESTIMATE, 400, {
        error: messages[0],
        code: 'invalid',
        fields: { customPhoneNumbers: messages },
      }),
    );
    const opened = await filledForm();
    await opened.user.click(opened.card.getByLabelText('A list of numbers'));
    await opened.user.type(opened.card.getByLabelText('Phone numbers'), '12345,abc');
    await opened.user.type(opened.card.getByLabelText(BASIS), 'They asked for it.');
    await review(opened);
    expect(await toast()).toHaveTextContent('Failed to schedule campaign');
    const list = opened.card.getByLabelText('Phone numbers');
    await waitFor(() => expect(list).toHaveAccessibleDescription(/"12345"[^]*"abc"/));
    expect(list).toHaveFocus();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('refuses a base of links that is not a URL', async () => {
    const opened = await filledForm();
    const base = opened.card.getByLabelText(/^Link base URL/);
    await opened.user.type(base, 'ftp://t.example');
    await review(opened);
    await waitFor(() => expect(base).toHaveAccessibleDescription(/begins with https/));
    expect(estimated).toEqual([]);
  });

  describe('at a time where the site is', () => {
    it('is said in words', async () => {
      const opened = await openForm();
      setTime(opened, '2099-11-21T15:04');
      expect(await opened.card.findByText(/^Sat, Nov 21, 2099, 3:04 PM EST/)).toBeInTheDocument();
      expect(screen.queryByText(/in the past/)).not.toBeInTheDocument();
    });

    it('refuses the past', async () => {
      server.use(estimating());
      const opened = await filledForm();
      setTime(opened, '2020-01-01T00:00');
      const words = 'That is in the past. Choose a later time, or Now.';
      expect(await opened.card.findByText(words)).toBeInTheDocument();
      await review(opened);
      await waitFor(() =>
        expect(opened.card.getByLabelText(TIME)).toHaveAccessibleDescription(
          'That time is in the past. Choose a later one, or Now.',
        ),
      );
      expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
      expect(estimated).toEqual([]);
    });

    it('refuses a time that the clocks skip', async () => {
      const opened = await filledForm();
      setTime(opened, '2099-03-08T02:30');
      await review(opened);
      await waitFor(() =>
        expect(opened.card.getByLabelText(TIME)).toHaveAccessibleDescription(/skip this time/),
      );
      expect(estimated).toEqual([]);
    });

    it('asks which one when the clocks show a time twice', async () => {
      server.use(estimating());
      const opened = await filledForm();
      setTime(opened, '2099-11-01T01:30');
      const which = await opened.card.findByLabelText('Which one?');
      expect(within(which).getAllByRole('option')).toHaveLength(2);
      expect(opened.card.getByText(/^Sun, Nov 1, 2099, 1:30 AM EDT/)).toBeInTheDocument();
      await opened.user.selectOptions(which, 'The second (EST)');
      expect(opened.card.getByText(/^Sun, Nov 1, 2099, 1:30 AM EST/)).toBeInTheDocument();
      await review(opened);
      await confirmation();
      expect(estimated).toMatchObject([{ scheduledDate: '2099-11-01T06:30:00.000Z' }]);
    });
  });
});
