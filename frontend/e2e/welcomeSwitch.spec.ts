import { expect, test, toast } from './test';
import { withTexting } from './texting';
import { textKeys } from './textProvider';

test('people who enter get no welcome text while it is off, and get it again once it is on', async ({
  page,
}) => {
  await withTexting(page, textKeys, async ({ call, openConsole, provider }) => {
    const textsTo = async (to: string) => {
      const answer = await fetch(`${provider.url}/control/messages?to=${encodeURIComponent(to)}`);
      const { messages } = (await answer.json()) as { messages: { body: string }[] };
      return messages.map(({ body }) => body);
    };
    const enter = (phoneNumber: string, landingPage = 'fresh-sips') =>
      call('POST', '/api/users/register', { phoneNumber, landingPage });
    const words = { landingPage: 'fresh-sips', messageTemplate: 'Cheers: {USER_LINK}' };
    await call('POST', '/api/admin/welcome-sms', words);

    await openConsole('?section=sms&tab=welcome');
    const active = page.getByRole('switch', { name: 'Active: Fresh Sips Mixology Kit' });
    await expect(active).toBeChecked();
    await active.click();
    await expect(toast(page)).toContainText('Welcome template updated successfully');
    await expect(active).not.toBeChecked();
    await page.reload();
    await expect(active).not.toBeChecked();
    await expect(page.getByText('Nobody gets a text')).toBeVisible();
    await enter('212-555-0151');
    // Texts are sent in the order in which people entered: after this one, the first one was skipped.
    await enter('212-555-0153', 'garden-bag');
    await expect
      .poll(() => textsTo('+12125550153'), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/http/)]);
    expect(await textsTo('+12125550151')).toEqual([]);

    await active.click();
    await expect(active).toBeChecked();
    await expect(page.getByText('Sent to people who enter')).toBeVisible();
    await enter('212-555-0152');
    await expect
      .poll(() => textsTo('+12125550152'), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/^Cheers: http/)]);
    expect(await textsTo('+12125550151')).toEqual([]);
  });
});
