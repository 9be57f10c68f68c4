import { defineConfig } from '@playwright/test';

/** Only the runner is Playwright's: its own Firefox is a patched one, and this test is about the one that people have. */
export default defineConfig({
  testDir: 'e2e-firefox',
  globalSetup: './e2e/server.ts',
  outputDir: 'test-results/firefox',
  workers: 1,
  forbidOnly: true,
  timeout: 80_000,
  reporter: 'list',
});
