import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const features = readdirSync(new URL('./src/features', import.meta.url));

/** A lint zone: files that must not import what the patterns name, and why. */
const zone = (files, forbidden, message) => ({
  files: [files],
  ignores: ['**/*.test.{ts,tsx}'],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: forbidden.map((regex) => ({ regex, message })) },
    ],
  },
});

/** shared → features → app → entries; themes are data for all of them; no feature knows another. */
export const zones = [
  zone('src/themes/**', ['/(shared|features|app|entries|testing)/'], 'themes import only themes'),
  zone(
    'src/shared/**',
    ['/(features|app|entries|testing)/'],
    'shared code knows neither features nor the app',
  ),
  ...features.map((feature) =>
    zone(
      `src/features/${feature}/**`,
      [
        '/(app|entries|testing)/',
        ...features
          .filter((other) => other !== feature)
          .flatMap((other) => [`/features/${other}(/|$)`, `^(\\.\\./)+${other}(/|$)`]),
      ],
      'a feature knows neither other features nor the app: the app brings them together',
    ),
  ),
  zone('src/app/**', ['/(entries|testing)/'], 'the app does not know how it is started'),
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'playwright-report',
      'test-results',
      'src/shared/api/generated*.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked, jsxA11y.flatConfigs.recommended],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    // Browsers drop a table's meaning with its display, so this one spells its roles out.
    files: ['src/shared/ui/console/Table.tsx'],
    rules: {
      'jsx-a11y/no-redundant-roles': 'off',
      'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off',
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        document: 'readonly', // in what a script evaluates in a page
        module: 'writable',
      },
    },
  },
  ...zones,
);
