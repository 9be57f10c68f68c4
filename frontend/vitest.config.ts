import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:slow` runs these, and `npm test` all others. */
const slow = '**/*.slow.test.{ts,tsx}';

export default defineConfig(({ mode }) => {
  const isSlow = mode === 'slow';
  const tests = (type: 'ts' | 'tsx') => ({
    include: [isSlow ? `src/**/*.slow.test.${type}` : `src/**/*.test.${type}`],
    exclude: isSlow ? configDefaults.exclude : [...configDefaults.exclude, slow],
  });
  return {
    test: {
      restoreMocks: true,
      maxWorkers: '150%', // a test waits for a third of its time
      execArgv: ['--max-semi-space-size=64'], // less collecting of garbage
      // A test waits up to 15 s for a screen (src/testing/setupDocument.ts), and the dearest drawing has taken 20 s beside
      // ten busy processes.
      testTimeout: 60_000,
      projects: [
        {
          extends: true,
          test: {
            name: 'without a document', // *.test.ts
            ...tests('ts'),
            environment: 'node',
            setupFiles: ['src/testing/setup.ts'],
          },
        },
        {
          extends: true,
          test: {
            name: 'with a document', // *.test.tsx
            ...tests('tsx'),
            environment: 'jsdom',
            setupFiles: ['src/testing/setup.ts', 'src/testing/setupDocument.ts'],
          },
        },
      ],
    },
  };
});
