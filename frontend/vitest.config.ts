import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    maxWorkers: '100%', // the default leaves one core free, which is one of two
    // A test waits up to 5 s for a screen (src/testing/setup.ts), and busy machines need several of such waits.
    testTimeout: 20_000,
  },
});
