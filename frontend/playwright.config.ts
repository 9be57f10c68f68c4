import { defineConfig } from '@playwright/test';

/** Where the browser is unless CHROMIUM_PATH says otherwise. */
const usual: Partial<Record<string, string>> = {
  darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
};

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/server.ts',
  outputDir: 'test-results',
  workers: 1, // one server, one database, and machines with two cores
  timeout: 180_000, // beside ten busy processes, tests have taken 80 s
  expect: { timeout: 30_000 }, // a busy machine has taken 5 s to answer
  forbidOnly: true,
  reporter: 'list',
  use: {
    baseURL: process.env.E2E_ORIGIN, // set by the global setup
    viewport: { width: 390, height: 844 },
    trace: process.env.CI ? 'off' : 'retain-on-failure', // CI keeps no files, and recording takes a sixth of the time
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || usual[process.platform] || '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // In a process of its own, the ads pixel's frame may load its script before a test can answer for it.
        '--disable-site-isolation-trials',
      ],
    },
  },
});
