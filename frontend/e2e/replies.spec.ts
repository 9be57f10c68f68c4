import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { violations } from './axe';
import { testOnOwnServer } from './ownServer';
import { openConsole } from './staff';
import { expect } from './test';
import { textKeys } from './textProvider';

const REPLIES = '?section=sms&tab=replies';
const test = testOnOwnServer(textKeys);

const rows = (page: Page) =>
  page
    .getByRole('table', { name: /^Who replied/ })
    .getByRole('row')
    .filter({ hasText: '***' });

/** Somebody texts to our number: a callback of the provider, with its signature. */
async function receiveText(page: Page, origin: string, sid: number, from: string, body: string) {
  const url = `${origin}/api/twilio/inbound`;
  const form: Record<string, string> = {
    Body: body,
    From: from,
    MessageSid: `SM${String(sid).padStart(32, '0')}`,
    To: textKeys.TWILIO_PHONE_NUMBER,
  };
  const names = Object.keys(form).sort();
  const signed = url + names.map((name) => name + form[name]).join('');
  const signature = createHmac('sha1', textKeys.TWILIO_AUTH_TOKEN).update(signed).digest('base64');
  const headers = { 'X-Twilio-Signature': signature };
  const answer = await page.request.post(url, { form, headers });
  expect(answer.status(), await answer.text()).toBe(200);
}

test('what people text back is listed, masked, and found', async ({ page, own }) => {
  await openConsole(page, REPLIES);
  await expect(page.getByText('No replies yet')).toBeVisible();
  await receiveText(page, own.origin, 1, '+12125550161', 'When is the drawing?');
  await receiveText(page, own.origin, 2, '+12125550162', 'STOP');
  await receiveText(page, own.origin, 2, '+12125550162', 'STOP'); // the provider repeats it
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('***-***-0162');
  await expect(rows(page).first()).toContainText('Opted out');
  await expect(rows(page).last()).toContainText('When is the drawing?');
  await expect(page.locator('main')).not.toContainText('212555');
  expect(await violations(page)).toEqual([]);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }

  await page.getByLabel('Find a text or number').fill('DRAWING');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('***-***-0161');
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('Find a text or number').fill('0162');
  await expect(rows(page)).toContainText('STOP');
  await page.getByLabel('Find a text or number').fill('nobody wrote this');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Kind').selectOption('message');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('When is the drawing?');
});

test('staff decide about what is not clear, and stop texts to any number', async ({
  page,
  own,
}) => {
  await receiveText(page, own.origin, 11, '+12125550171', 'I said STOP!!!');
  await receiveText(page, own.origin, 12, '+12125550172', 'please cancel');
  await receiveText(page, own.origin, 13, '+12125550173', 'Please stop texting me');
  await receiveText(page, own.origin, 14, '+12125550174', 'Thanks!');
  await openConsole(page, REPLIES);
  await expect(rows(page).first()).toContainText('please cancel');
  await expect(rows(page).nth(1)).toContainText('I said STOP!!!');
  await expect(rows(page).filter({ hasText: 'texting me' })).toContainText('Opted out');
  expect(await violations(page)).toEqual([]);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }

  await rows(page).first().getByRole('button', { name: 'Leave as it is' }).click();
  await expect(page.getByText('The reply stays as it is').first()).toBeVisible();
  await expect(rows(page).first()).toContainText('I said STOP!!!');
  await rows(page).first().getByRole('button', { name: 'Stop texts' }).click();
  await expect(page.getByRole('button', { name: 'Leave as it is' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Stop texts to a number' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Phone number').fill('(212) 555-0199');
  await dialog.getByLabel('Reason').fill('Asked in a letter.');
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await dialog.getByRole('button', { name: 'Stop texts' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('This number gets no more texts').last()).toBeVisible();
});
