import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { held, unauthorized } from '../../../testing/console/handlers';
import { part, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { aCampaign, anEstimate } from '../../../testing/console/smsBuilders';
import {
  installCampaigns,
  ESTIMATE,
  SCHEDULE,
  TIME,
  stored,
  estimated,
  scheduled,
  table,
  estimating,
  scheduling,
  setTime,
  review,
  confirmation,
  confirmButton,
  filledForm,
  filledBody,
} from '../../../testing/console/campaigns';

installCampaigns();

describe('scheduling', () => {
  it('is counted, confirmed, done once, and listed', async () => {
    const { answered, release } = held();
    server.use(estimating(), scheduling(answered));
    const opened = await filledForm();
    await review(opened);
    const asking = await confirmation();
    expect(asking).toHaveTextContent('Wed, Jul 1, 2099, 12:00 PM EDT');
    expect(asking).toHaveTextContent('Recipients1,204');
    expect(asking).toHaveTextContent('Segments per text1');
    expect(asking).toHaveTextContent('Total segments1,200');
    expect(asking).toHaveTextContent("4 recipients had July 2099's texts already and are skipped");
    expect(asking).toHaveTextContent(anEstimate().sample);
    expect(asking).toHaveTextContent('As one recipient gets it, in GSM-7.');
    expect(asking).not.toHaveTextContent('in the past');
    await opened.user.dblClick(await confirmButton());
    expect(await confirmButton()).toHaveTextContent('Scheduling...');
    await opened.user.click(within(asking).getByRole('button', { name: 'Cancel' }));
    expect(asking).toBeInTheDocument();
    release();
    expect(await toast()).toHaveTextContent('Campaign scheduled successfully');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'New campaign' })).not.toBeInTheDocument();
    expect(await table()).toHaveTextContent('July');
    expect(estimated).toEqual([filledBody]);
    expect(scheduled).toEqual([
      { key: expect.stringMatching(/^[\x21-\x7e]{12,255}$/) as string, body: filledBody },
    ]);
  });

  it('can be now, which is said before it is done', async () => {
    server.use(estimating(), scheduling());
    const opened = await filledForm();
    setTime(opened, '2020-01-01T00:00'); // does not matter for now
    await opened.user.click(opened.card.getByLabelText('Now'));
    expect(opened.card.queryByLabelText(TIME)).not.toBeInTheDocument();
    await review(opened);
    const asking = within(await screen.findByRole('alertdialog', { name: 'Send July?' }));
    expect(asking.getByText('It is sent now, as soon as you confirm.')).toBeInTheDocument();
    expect(asking.getByText(/^4 recipients had this month's texts already/)).toBeInTheDocument();
    await opened.user.click(asking.getByRole('button', { name: 'Send now' }));
    await waitFor(() => expect(scheduled).toHaveLength(1));
    const { templateId, campaignName, targetAudience } = filledBody;
    expect(scheduled[0]?.body).toEqual({
      templateId,
      campaignName,
      targetAudience,
      startNow: true,
    });
  });

  it('shows an error when the estimate fails, and can be tried again', async () => {
    server.use(refusing(ESTIMATE, 404, { error: 'No such template', code: 'unknown_template' }));
    const opened = await filledForm();
    await review(opened);
    expect(await opened.card.findByText('No such template')).toHaveAttribute('role', 'alert');
    server.use(estimating());
    await review(opened);
    expect(await confirmation()).toBeInTheDocument();
    await waitFor(() => expect(opened.card.queryByText('No such template')).toBeNull());
  });

  it('can be reconsidered, and keeps what was typed', async () => {
    server.use(estimating());
    const opened = await filledForm();
    await review(opened);
    await opened.user.click(within(await confirmation()).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(opened.card.getByLabelText('Campaign name')).toHaveValue('July');
    expect(scheduled).toEqual([]);
  });

  it('has one key for the same campaign, and another for a different one', async () => {
    const keys: (string | null)[] = [];
    server.use(
      estimating(),
      http.post(`*${SCHEDULE}`, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.error();
      }),
    );
    const opened = await filledForm();
    await review(opened);
    await opened.user.click(await confirmButton());
    expect(await toast()).toHaveTextContent('Failed to schedule campaign');
    await waitFor(async () =>
      expect(within(await confirmation()).getByRole('alert')).toHaveTextContent(
        'It is safe to try again: the campaign is scheduled only once.',
      ),
    );
    await opened.user.click(await confirmButton());
    await waitFor(() => expect(keys).toHaveLength(2));
    await waitFor(async () => expect(await confirmButton()).toHaveTextContent('Schedule Campaign'));
    await opened.user.click(within(await confirmation()).getByRole('button', { name: 'Cancel' }));
    await review(opened);
    server.use(scheduling());
    setTime(opened, '2099-07-02T12:00'); // behind the dialog: what was asked about is what is sent
    await opened.user.click(await confirmButton());
    await waitFor(() => expect(scheduled).toHaveLength(1));
    expect(new Set([...keys, scheduled[0]?.key]).size).toBe(1);
    expect(scheduled[0]?.body).toEqual(filledBody);

    const other = await (async () => {
      await opened.user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
      const card = within(await part('New campaign'));
      return { user: opened.user, card };
    })();
    await other.user.type(await other.card.findByLabelText('Campaign name'), 'July');
    await other.user.selectOptions(other.card.getByLabelText('Template'), 'Summer');
    setTime(other, '2099-07-01T12:00');
    await review(other);
    await other.user.click(await confirmButton());
    await waitFor(() => expect(scheduled).toHaveLength(2));
    expect(scheduled[1]?.key).not.toBe(scheduled[0]?.key);
  });

  it('asks for the list again when the answer was lost', async () => {
    server.use(
      estimating(),
      http.post(`*${SCHEDULE}`, () => {
        stored.campaigns = [aCampaign({ campaignName: 'July' })];
        return HttpResponse.error();
      }),
    );
    const opened = await filledForm();
    await review(opened);
    await opened.user.click(await confirmButton());
    expect(await table()).toHaveTextContent('July');
  });

  it('goes back to the input that the server refuses', async () => {
    const error = 'Choose a time within a year';
    server.use(
      estimating(),
      refusing(SCHEDULE, 400, { error, code: 'invalid', fields: { scheduledDate: [error] } }),
    );
    const opened = await filledForm();
    await review(opened);
    await opened.user.click(await confirmButton());
    await waitFor(() =>
      expect(opened.card.getByLabelText(TIME)).toHaveAccessibleDescription(error),
    );
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('ends at the sign-in screen where the session does', async () => {
    server.use(http.post(`*${ESTIMATE}`, unauthorized));
    const opened = await filledForm();
    await review(opened);
    expect(await screen.findByText(/Your session has ended/)).toBeInTheDocument();
  });
});
