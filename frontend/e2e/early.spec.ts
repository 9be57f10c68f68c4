import {
  alive,
  enter,
  expect,
  layoutShift,
  newPhone,
  phoneField,
  submitButton,
  test,
} from './test';

test(
  'a submit before the application is there is held and replayed',
  { tag: '@main' },
  async ({ page }) => {
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/assets/site.*.js', async (route) => {
      await arrival;
      await route.continue();
    });
    const phone = newPhone();
    await page.goto('/sustainable-living');
    await phoneField(page).fill(phone);
    await page.getByRole('checkbox').check();
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText('Entering...');

    const sent = page.waitForRequest('**/api/users/register');
    arrive();
    expect((await sent).postDataJSON()).toMatchObject({ phoneNumber: phone, smsConsent: true });
    await page.waitForURL(/\/sustainable-living\/success\/\d+$/);
  },
);

test('the first submit waits for the form and its rules, and for nothing of the next screen', async ({
  page,
}) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  const nextScreen: string[] = [];
  await page.route('**/assets/validation.*.js', async (route) => {
    await arrival;
    await route.continue();
  });
  await page.route(/assets\/(store|success)\./, async (route) => {
    nextScreen.push(route.request().url());
    await sent;
    await route.continue();
  });
  await page.goto('/fresh-sips');
  const sent = page.waitForRequest('**/api/users/register');
  await phoneField(page).fill(newPhone());
  await expect(page.getByRole('region', { name: /Notifications/ })).toBeAttached(); // it was idle
  await submitButton(page).click();
  expect(nextScreen).toEqual([]);
  arrive();
  await sent;
  await page.waitForURL(/\/fresh-sips\/success\/\d+$/);
  expect(nextScreen.length).toBeGreaterThan(0);
});

test('what is typed while the application arrives stays', async ({ page }) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/assets/site.*.js', async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto('/garden-bag');
  await phoneField(page).pressSequentially('555 12');
  arrive();
  await phoneField(page).pressSequentially('3 4567', { delay: 20 });
  await expect(page.getByRole('region', { name: /Notifications/ })).toBeAttached();
  await expect(phoneField(page)).toHaveValue('555 123 4567');
  await expect(phoneField(page)).toBeFocused();
});

for (const [path, held] of [
  ['/garden-bag', true],
  ['/claim/abcdefghijkmnpqr', false],
  ['/rules', false],
  ['/drawings', false],
  ['/success/7', false],
  ['/success/7/your-entry', false],
  ['/admin', false],
] as const) {
  test(`${path} reloads once when its files do not arrive, then says so; nothing moves`, async ({
    page,
  }) => {
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url());
    });
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
    const phone = newPhone();
    await page.goto(path);
    if (held) {
      await phoneField(page).focus();
      await expect.poll(() => loads.length).toBe(2);
      await phoneField(page).fill(phone);
      await submitButton(page).click();
    }
    const problem = page.getByText('This page is out of date or did not finish loading.');
    await expect(problem).toBeVisible();
    expect(loads).toHaveLength(2);
    expect(await layoutShift(page)).toBe(0);
    const waits = page.locator('p[role=status]', { hasText: 'Loading...' });
    await expect(waits.filter({ visible: true })).toHaveCount(0);
    if (held) {
      await expect(submitButton(page)).toHaveText('Enter Free Raffle Now');
      await expect(phoneField(page)).toHaveValue(phone);
    }

    await page.unroute('**/assets/*.js');
    await page.getByRole('link', { name: 'Reload the page' }).click();
    await expect(problem).toBeHidden();
    if (held) await page.waitForURL(/\/success\/\d+$/);
    else await alive(page);
  });
}

test('a tab from before a deployment reloads by itself and goes on with what was submitted', async ({
  page,
}) => {
  const phone = newPhone();
  await page.goto('/garden-bag');
  await page.evaluate(() => (document.body.dataset.scripts = '/assets/site.0123456789.js'));
  await phoneField(page).evaluate(
    (field: HTMLInputElement, number) => (field.value = number),
    phone,
  );
  await submitButton(page).click();
  await page.waitForURL(/\/success\/\d+$/);
});

test('offline, the page does not reload; it says so and offers to try again', async ({
  page,
  context,
}) => {
  const phone = newPhone();
  await page.goto('/garden-bag');
  await context.setOffline(true);
  await phoneField(page).fill(phone);
  await submitButton(page).click();
  await expect(page.getByRole('alert').getByText('You seem to be offline.')).toBeVisible();
  await expect(phoneField(page)).toHaveValue(phone);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('You seem to be offline.')).toBeHidden();
  await expect(phoneField(page)).toHaveValue(phone);
  await submitButton(page).click();
  await page.waitForURL(/\/success\/\d+$/);
});

test('the date is there before anything is touched, in the time zone of the site', async ({
  page,
}) => {
  await page.clock.setFixedTime('2025-08-15T12:00:00Z');
  await page.goto('/fresh-sips');
  await expect(page.getByText(/^Next Drawing:/)).toHaveText('Next Drawing: September 1st, 2025');
  await page.clock.setFixedTime('2025-09-01T03:30:00Z'); // still August in New York
  await page.reload();
  await expect(page.getByText(/^Next Drawing:/)).toHaveText('Next Drawing: September 1st, 2025');
});

for (const started of [false, true]) {
  test(`the date is another one after midnight, ${started ? 'with' : 'without'} React`, async ({
    page,
  }) => {
    await page.clock.install({ time: '2026-12-01T04:59:50Z' }); // 23:59:50 in New York
    await page.goto('/fresh-sips');
    if (started) {
      await phoneField(page).focus();
      await page.waitForFunction(() => window.early === undefined);
    }
    const date = page.getByText(/^Next Drawing:/);
    await expect(date).toHaveText('Next Drawing: December 1st, 2026');
    await page.clock.fastForward(11_000);
    await expect(date).toHaveText('Next Drawing: January 1st, 2027');
    expect(await layoutShift(page)).toBe(0);
  });
}

test('without JavaScript the prize, the rules and how to enter still read', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/garden-bag');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Win the Garden Bag Essentials');
  await expect(page.getByText('Canvas tool bag')).toBeVisible();
  await expect(page.getByText(/Entering needs JavaScript/)).toBeVisible();
  await expect(phoneField(page)).toBeHidden();
  await page.getByRole('link', { name: 'official rules' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Official rules');
  await context.close();
});

test('the stub tears off, but not where motion is reduced', async ({ page }) => {
  const tears = () =>
    page.evaluate(() => {
      const stub = document.querySelector('.ticket-stub');
      stub?.classList.add('is-torn');
      return stub?.getAnimations().map((animation) => animation.effect?.getTiming().duration);
    });
  await page.goto('/garden-bag');
  expect(await tears()).toEqual([400]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  expect(await tears()).toEqual([]);
  await enter(page, '/garden-bag');
});
