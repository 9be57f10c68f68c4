import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aFunnel } from '../../../testing/console/builders';
import { adminCall } from '../../../testing/console/handlers';
import { figure, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { table } from '../../../testing/console/analytics';

describe('Conversion', () => {
  const conversion = '?section=analytics&tab=conversion';

  it('has the sessions, their time and the number of steps', async () => {
    renderAdmin(conversion);
    expect(await figure('Total Sessions')).toBe('6,123');
    expect(await figure('Avg Time Spent')).toBe('48s');
    expect(await figure('Conversion Steps')).toBe('4');
  });

  it('analyzes the steps in the order in which people take them', async () => {
    renderAdmin(conversion);
    expect(rowsOf(await table(/percent continuing/))).toEqual([
      ['Page View', '6,123', '3,011', '50.8%'],
      ['Form Start', '3,112', '1,828', '41.3%'],
      ['Sign Up', '1,284', '892', '30.5%'],
      ['Social Share', '0', '0', '0.0%'],
    ]);
  });

  it('has the steps of codes between the form and the sign-up, where there were any', async () => {
    const breakdown = {
      ...aFunnel().stepBreakdown,
      formSubmit: { count: 1_500, exits: 20 },
      codeVerified: { count: 1_290, exits: 0 },
      codeSent: { count: 1_480, exits: 190 },
    };
    server.use(
      adminCall('get', 'analytics/funnel', { funnel: aFunnel({ stepBreakdown: breakdown }) }),
    );
    renderAdmin(conversion);
    const names = rowsOf(await table(/percent continuing/)).map(([name]) => name);
    expect(names.slice(2, 6)).toEqual(['Form Submit', 'Code Sent', 'Code Verified', 'Sign Up']);
    expect(await figure('Conversion Steps')).toBe('7');
  });

  it('has no steps of codes where none was sent', async () => {
    const none = { count: 0, exits: 0 };
    const breakdown = { ...aFunnel().stepBreakdown, codeSent: none, codeVerified: none };
    server.use(
      adminCall('get', 'analytics/funnel', { funnel: aFunnel({ stepBreakdown: breakdown }) }),
    );
    renderAdmin(conversion);
    expect(rowsOf(await table(/percent continuing/)).map(([name]) => name)).toEqual([
      'Page View',
      'Form Start',
      'Sign Up',
      'Social Share',
    ]);
  });

  it('sorts the steps by their headers, and back into their order', async () => {
    const { user } = renderAdmin(conversion);
    const press = async (name: string) =>
      user.click(within(await table(/percent continuing/)).getByRole('button', { name }));
    const steps = async () => rowsOf(await table(/percent continuing/)).map(([name]) => name);
    await press('Continue');
    await press('Continue');
    expect(await steps()).toEqual(['Social Share', 'Sign Up', 'Form Start', 'Page View']);
    await press('Step');
    expect(await steps()).toEqual(['Page View', 'Form Start', 'Sign Up', 'Social Share']);
    expect(location.search).toBe(conversion);
  });

  it('draws the funnel, and shows the same as a table', async () => {
    const { user } = renderAdmin(conversion);
    const chart = await screen.findByRole('figure', { name: 'Sessions at each step' });
    expect(chart).toHaveAccessibleDescription(
      'More sessions end at Page View than anywhere else: 3,011.',
    );
    await user.click(within(chart).getByRole('button', { name: /^Show as table/ }));
    expect(rowsOf(within(chart).getByRole('table'))[2]).toEqual([
      'Sign Up',
      '1,284',
      '21.0%',
      '892',
    ]);
  });

  it('asks for what the filters say', async () => {
    const asked: string[] = [];
    server.use(
      adminCall('get', 'analytics/funnel', (request) => {
        asked.push(new URL(request.url).search);
        return { funnel: aFunnel() };
      }),
    );
    const { user } = renderAdmin(conversion);
    await figure('Total Sessions');
    expect(asked).toEqual(['']);
    const pages = screen.getByLabelText('Landing page');
    expect(within(pages).getAllByRole('option')).toHaveLength(5);
    await user.selectOptions(pages, 'fresh-sips');
    await waitFor(() => expect(asked.at(-1)).toBe('?landingPage=fresh-sips'));
    expect(location.search).toContain('landingPage=fresh-sips');
  });

  it("puts the server's words at the filters, and no old figures under them", async () => {
    const fields = { startDate: ['Please enter a date'], landingPage: ['Unknown landing page'] };
    const body = { error: 'Please check the filters', code: 'validation', fields };
    server.use(refusing('/api/admin/analytics/funnel', 400, body));
    renderAdmin(`${conversion}&startDate=2026-02-31&landingPage=roses`);
    expect(await screen.findByText('Please enter a date')).toBeInTheDocument();
    expect(screen.getByText('Unknown landing page')).toBeInTheDocument();
    expect(screen.queryByText('Total Sessions')).not.toBeInTheDocument();
  });

  it('says when no session took a step', async () => {
    const nothing = aFunnel({ totalSessions: 0, avgTimeSpent: 0, stepBreakdown: {} });
    server.use(adminCall('get', 'analytics/funnel', { funnel: nothing }));
    renderAdmin(conversion);
    expect(await screen.findByText('No steps on these days')).toBeInTheDocument();
    expect(await figure('Conversion Steps')).toBe('0');
  });
});
